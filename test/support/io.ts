// A terminal and a process for tests: what would be printed is kept, nothing is run.
import type { Io } from '../../src/cli/io.ts';

export interface TestIo extends Io {
  readonly printed: { out: string; err: string };
  /** The programs that would have had the terminal. */
  readonly ran: { program: string; args: readonly string[]; env: Io['env'] | undefined }[];
}

export const testNow = Date.parse('2025-01-02T12:00:00.000Z');

export function testIo(changes: Partial<Io> & { input?: string | Buffer; answer?: string } = {}): TestIo {
  const { input = '', answer = '', ...rest } = changes;
  const printed = { out: '', err: '' };
  const ran: TestIo['ran'] = [];
  return {
    env: {},
    cwd: '/repo/project',
    programDir: '/nowhere',
    inputIsTerminal: false,
    outputIsTerminal: false,
    columns: undefined,
    now: () => testNow,
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    readInput: async () => Buffer.from(input),
    ask: async () => answer,
    talk: async () => ({
      lines: typed(input),
      show: (text) => void (printed.out += text),
      close() {},
    }),
    runProgram: async (program, args, env) => {
      ran.push({ program, args, env });
      return 0;
    },
    outputOf: async () => null,
    ...rest,
    printed,
    ran,
  };
}

/** Every line of the input, as somebody would type it; `^C` stands for that key. */
async function* typed(input: string | Buffer): AsyncGenerator<string | null> {
  for (const line of String(input).split('\n')) if (line !== '') yield line === '^C' ? null : line;
}
