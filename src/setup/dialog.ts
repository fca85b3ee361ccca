// How setup and uninstall speak: with questions at a terminal, or plainly, with every answer given beforehand.
import { reportWidth, wrap } from '../doctor/report.ts';

export interface Dialog {
  /** How many columns a line may take. */
  readonly width: number;
  title(text: string): void;
  say(line: string): void;
  /** Several lines that belong together. */
  show(lines: readonly string[]): void;
  /** Null: the person wants to leave. */
  ask(question: string, otherwise: boolean): Promise<boolean | null>;
  end(text: string): void;
}

/** `--yes`: every question has been answered. */
export function plainDialog(print: (text: string) => void): Dialog {
  return {
    width: reportWidth,
    title: (text) => print(text),
    say: (line) => print(line),
    show: (lines) => lines.forEach(print),
    ask: async (_, otherwise) => otherwise,
    end: (text) => print(text),
  };
}

export async function promptingDialog(): Promise<Dialog> {
  const { confirm, intro, isCancel, log, outro } = await import('@clack/prompts');
  // Beside the line that it draws at the left.
  const width = Math.min(process.stdout.columns || reportWidth, reportWidth) - 3;
  return {
    width,
    title: (text) => intro(text),
    say: (line) => log.step(wrap(line, width).join('\n')),
    show: (lines) => log.message(lines.join('\n')),
    async ask(question, otherwise) {
      const answer = await confirm({ message: question, initialValue: otherwise });
      return isCancel(answer) ? null : answer;
    },
    end: (text) => outro(wrap(text, width).join('\n   ')),
  };
}
