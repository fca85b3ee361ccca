// A line at the bottom of the terminal to type in, while other text is shown above it.
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { Talk } from './io.ts';

export function openTalk(prompt: string): Talk {
  const { stdin: input, stdout: output } = process;
  const terminal = createInterface({ input, output, prompt });
  return {
    lines: typedLines(terminal),
    show(text) {
      // What is half typed stays, below.
      moveCursor(output, 0, -terminal.getCursorPos().rows);
      cursorTo(output, 0);
      clearScreenDown(output);
      output.write(text);
      terminal.prompt(true);
    },
    close() {
      terminal.close();
      cursorTo(output, 0);
      clearScreenDown(output);
    },
  };
}

async function* typedLines(terminal: Interface): AsyncGenerator<string | null> {
  const typed: (string | null)[] = [];
  let wake = () => {};
  let closed = false;
  const add = (line: string | null) => {
    typed.push(line);
    wake();
  };
  terminal.on('line', (line) => {
    add(line);
    terminal.prompt();
  });
  terminal.on('SIGINT', () => add(null));
  terminal.on('close', () => {
    closed = true;
    wake();
  });
  for (;;) {
    while (typed.length > 0) yield typed.shift() as string | null;
    if (closed) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
