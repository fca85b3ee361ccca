import { numberWithin } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { type Io, requireSelf } from '../io.ts';

export default defineCommand({
  usage: '[--http] [--port N]',
  about:
    'Gives an agent the commands as tools of the Model Context Protocol, with the rights of its session: for agents without\n' +
    'a shell. A profile with mcp: true starts it for each session. With --http it listens on 127.0.0.1, at /mcp, for all\n' +
    'sessions; each shows its key (the variable SM_CALLER) as the bearer.',
  options: {
    http: { help: 'listen on a port of 127.0.0.1 instead of standard input' },
    port: { value: 'N', help: 'which port, with --http (default: any free one)' },
  },
  async run({ options, io, client, groups, sm }) {
    const port = numberWithin('--port', options.port, [0, 65_535]);
    if (port !== undefined && !options.http)
      throw new Failure('--port goes with --http: sm mcp --http --port N');
    const id = options.http ? '' : requireSelf(io, 'For a port that any session can use: sm mcp --http');
    const { version } = await client.ask('GET /health');
    const { serveHttp, serveStdio, toolsOf } = await import('../../mcp/mcp.ts');
    const serving = {
      version,
      tools: await toolsOf(groups),
      run: (argv: readonly string[], { id, key }: { id: string; key: string }) =>
        quietly(sm, argv, { ...io, env: { ...io.env, CLAUDE_SESSION_MANAGER_ID: id, SM_CALLER: key } }),
    };
    if (!options.http) return serveStdio(serving, { id, key: io.env.SM_CALLER ?? '' });
    const server = await serveHttp(serving, port ?? 0).catch((error: Error) => {
      throw new Failure(`Cannot listen on port ${port}: ${error.message}`);
    });
    const { port: open } = server.address() as { port: number };
    io.out(`Listening on http://127.0.0.1:${open}/mcp. End it with Ctrl-C.\n`);
    await new Promise((resolve) => server.once('close', resolve));
  },
});

/** Runs a command and keeps what it would print. There is nobody to ask, and no terminal to hand over. */
async function quietly(
  sm: (argv: readonly string[], io: Io) => Promise<number>,
  argv: readonly string[],
  io: Io,
): Promise<{ code: number; text: string }> {
  let text = '';
  const keep = (more: string) => void (text += more);
  const { now, outputOf } = io;
  const noTerminal = async () => {
    throw new Failure('This needs a terminal.');
  };
  const code = await sm(argv, {
    ...io,
    ...{ now, outputOf, inputIsTerminal: false, outputIsTerminal: false, columns: undefined },
    ...{ out: keep, err: keep, ask: noTerminal, talk: noTerminal, runProgram: noTerminal },
    readInput: async () => Buffer.alloc(0),
  });
  return { code, text };
}
