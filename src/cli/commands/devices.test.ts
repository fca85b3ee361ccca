import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testNow } from '../../../test/support/io.ts';
import { sm } from '../../../test/support/sm.ts';
import { session } from '../../../test/support/stand-in-daemon.ts';
import { clock } from '../text/time.ts';

const minutesAgo = (minutes: number) => new Date(testNow - minutes * 60_000).toISOString();
const device = (id: string, name: string) => ({
  id,
  name,
  signed_in_at: minutesAgo(2 * 24 * 60),
  seen_at: minutesAgo(4),
  expires_at: minutesAgo(-1),
  guest_of: null,
  link: false,
  current: false,
});
const until = clock(minutesAgo(-1), testNow);
const devices = [device('5f03a9c1', 'Firefox on Linux'), device('5f11b2c3', 'Safari on iPhone')];
const code = {
  code: '3VQK-8TXP',
  expires_at: minutesAgo(-2),
  local_url: 'http://127.0.0.1:8420/#code=3VQK-8TXP',
  url: null,
};

describe('sm devices', () => {
  it('lists the browsers that are signed in', async () => {
    expect(await sm({ 'GET /devices': { devices } }, ['devices'])).toMatchObject({
      out: [
        'DEVICE    NAME              SIGNED IN  SEEN    UNTIL',
        `5f03a9c1  Firefox on Linux  2d ago     4m ago  ${until}`,
        `5f11b2c3  Safari on iPhone  2d ago     4m ago  ${until}`,
        '',
      ].join('\n'),
    });
  });

  it('signs one out by the beginning of its id', async () => {
    const revoked = { status: 'revoked', id: '5f11b2c3', name: 'Safari on iPhone' };
    const { out, calls } = await sm({ 'GET /devices': { devices }, 'DELETE /devices/5f11b2c3': revoked }, [
      'devices',
      'revoke',
      '5f1',
    ]);
    expect(out).toBe('Signed out: Safari on iPhone (5f11b2c3)\n');
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toContain('DELETE /devices/5f11b2c3');
  });

  it.each([
    [
      ['revoke', '5f'],
      '"5f" may be Firefox on Linux (5f03a9c1) or Safari on iPhone (5f11b2c3). Give more of the id.',
    ],
    [['revoke', 'x'], 'No device "x" is signed in. See: sm devices'],
    [['revoke'], 'Missing argument DEVICE. Usage: sm devices revoke DEVICE'],
    [['drop'], 'Unknown action "drop". See: sm devices --help'],
  ])('%j fails', async (args, message) => {
    expect(await sm({ 'GET /devices': { devices } }, ['devices', ...args])).toMatchObject({
      code: 1,
      err: `Error: ${message}\n`,
    });
  });
});

describe('sm open', () => {
  it('prints the address where there is no browser', async () => {
    const { out } = await sm({ 'POST /devices/codes': code }, ['open']);
    expect(out).toBe(
      'Open this in your browser:\n  http://127.0.0.1:8420/#code=3VQK-8TXP\nIt works once, within two minutes.\n',
    );
  });

  it.skipIf(process.platform === 'darwin')('gives a browser the address in a private file', async () => {
    const opened: (readonly string[])[] = [];
    const { out } = await sm({ 'POST /devices/codes': code }, ['open'], {
      env: { DISPLAY: ':0' },
      outputOf: async (program, args) => {
        opened.push([program, ...args]);
        return '';
      },
    });
    expect(out).toMatch(/^Opening the page in your browser/);
    expect(opened).toHaveLength(1);
    expect(opened.flat().join(' ')).not.toContain('3VQK');
    const file = String(opened[0]?.at(-1));
    expect(existsSync(file) && readFileSync(file, 'utf8')).toContain(`url=${code.local_url}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('sm pair', () => {
  it('says what is missing where no other device can come in', async () => {
    expect(await sm({ 'POST /devices/codes': code }, ['pair'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('server.url is not set'),
    });
  });

  it('shows a QR code, the address and the code', async () => {
    const url = 'https://sm.example.com/#code=3VQK-8TXP';
    const { out } = await sm({ 'POST /devices/codes': { ...code, url } }, ['pair']);
    expect(out).toMatch(/[█▀▄ ]{20}/);
    expect(out).toContain('Scan it, or open https://sm.example.com/ and type 3VQK-8TXP\n');
  });
});

describe('sm share', () => {
  const link = {
    device: devices[0],
    expires_at: minutesAgo(-60),
    local_url: 'http://127.0.0.1:8420/#code=a.b',
    url: null,
  };
  const answers = {
    'GET /sessions/login': session({ id: '35c21191', display_name: 'login' }),
    'POST /devices/links': link,
  };

  it('prints the link, how long it works, and how to end it', async () => {
    const { out, calls } = await sm(answers, ['share', 'login', '--for', '30m', '--read-only']);
    expect(calls.at(-1)?.body).toEqual({ session: '35c21191', seconds: 1_800 });
    expect(out).toBe(
      [
        `Whoever opens this first can look at login (35c21191) until ${clock(minutesAgo(-60), testNow)}:`,
        '  http://127.0.0.1:8420/#code=a.b',
        'It works on this machine only: server.url is not set. See docs/guide/page.md',
        'End it with: sm devices revoke 5f03a9c1',
        '',
      ].join('\n'),
    );
  });

  it('works for at most a week', async () => {
    expect(await sm(answers, ['share', 'login', '--for', '8d'])).toMatchObject({
      code: 1,
      err: 'Error: --for takes a time from 1m to 7d.\n',
    });
  });
});
