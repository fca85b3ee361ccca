// How setup and uninstall speak: with questions at a terminal, or plainly, with every answer given beforehand.
export interface Dialog {
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
    title: (text) => print(text),
    say: (line) => print(line),
    show: (lines) => lines.forEach(print),
    ask: async (_, otherwise) => otherwise,
    end: (text) => print(text),
  };
}

export async function promptingDialog(): Promise<Dialog> {
  const { confirm, intro, isCancel, log, outro } = await import('@clack/prompts');
  return {
    title: (text) => intro(text),
    say: (line) => log.step(line),
    show: (lines) => log.message(lines.join('\n')),
    async ask(question, otherwise) {
      const answer = await confirm({ message: question, initialValue: otherwise });
      return isCancel(answer) ? null : answer;
    },
    end: (text) => outro(text),
  };
}
