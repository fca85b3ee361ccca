import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { printLines } from '../io.ts';

export default defineCommand({
  usage: '',
  about:
    'Shows a QR code with which a phone opens the page, signed in. Another machine can type the address and the code. The\n' +
    'code works once, within two minutes. The page has to be reachable from there, and server.url has to say how: see\n' +
    'docs/guide/page.md for Tailscale, Caddy and SSH.',
  options: {},
  async run({ io, client }) {
    const { url, code } = await client.ask('POST /devices/codes');
    if (url === null)
      throw new Failure(
        'No other device can reach the page: server.url is not set in the configuration. docs/guide/page.md shows how, with ' +
          'Tailscale, Caddy or SSH. On this machine: sm open',
      );
    const { qrLines } = await import('../qr.ts');
    printLines(io, [
      ...qrLines(url, io.outputIsTerminal && !io.env.NO_COLOR),
      `Scan it, or open ${url.split('#')[0]} and type ${code}`,
      'It works once, within two minutes.',
    ]);
  },
});
