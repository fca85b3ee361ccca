import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand } from '../command.ts';
import { statePaths } from '../daemon/paths.ts';
import { type Io, printLines } from '../io.ts';

export default defineCommand({
  usage: '[--print]',
  about:
    'Opens the page in your browser: all sessions live, their messages, their terminals, and every act of sm watch.\n' +
    'It signs the browser in with a code that works once, within two minutes. sm devices lists who is signed in;\n' +
    'sm pair signs in a phone or another machine.',
  options: { print: { help: 'print the address, and open nothing' } },
  async run({ options, io, client }) {
    const { local_url: url } = await client.ask('POST /devices/codes');
    if (options.print) return io.out(`${url}\n`);
    const isOpened = await openInBrowser(io, url);
    printLines(io, [
      isOpened
        ? 'Opening the page in your browser. If nothing comes up, open this yourself:'
        : 'Open this in your browser:',
      `  ${url}`,
      'It works once, within two minutes.',
    ]);
  },
});

/** Other users see the arguments of programs, so that the address with its code goes by a private file. */
async function openInBrowser(io: Io, url: string): Promise<boolean> {
  const program = browserProgram(io);
  if (!program) return false;
  const file = join(statePaths(io).home, 'open.html');
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`, { mode: 0o600 });
  const script = 'command -v "$0" >/dev/null && { "$0" "$1" >/dev/null 2>&1 </dev/null & }';
  return (await io.outputOf('sh', ['-c', script, program, file])) !== null;
}

function browserProgram({ env }: Io): string | undefined {
  if (process.platform === 'darwin') return 'open';
  if (env.WSL_DISTRO_NAME) return 'wslview';
  return env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}
