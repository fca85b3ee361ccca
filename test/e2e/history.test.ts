// What ended long ago is forgotten by a daemon that runs, with its files; what lives goes on.
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ config: { history: { keep_days: 1 } } });
}, 60_000);
afterAll(() => daemon?.dispose(), 60_000);

const patience = { timeout: 60_000, interval: 100 };
const days = 3;

/** Everything happened some days earlier than it did. */
function age(): void {
  const span = days * 24 * 3_600_000;
  const db = new DatabaseSync(join(daemon.home, 'sm.db'));
  const earlier = (place: string) =>
    `json_set(body, '${place}', json_extract(body, '${place}') - ${span}) WHERE json_extract(body, '${place}') > 0`;
  db.exec(`UPDATE event SET at = at - ${span}; UPDATE fact SET at = at - ${span};
    UPDATE message SET body = ${earlier('$.state.at')}; UPDATE session SET body = ${earlier('$.process.at')}`);
  db.close();
  const then = Date.now() / 1_000 - days * 24 * 3_600;
  for (const folder of ['messages', 'handoffs', 'sessions', 'spool', 'terminal'])
    for (const name of readdirSync(join(daemon.home, folder), { recursive: true, encoding: 'utf8' }))
      utimesSync(join(daemon.home, folder, name), then, then);
}

const send = async (to: string, text: string) => {
  const { message_id: id } = await sendText(daemon, to, text);
  await daemon.until(to, is('message answered', { message: id }));
  return id;
};
const trace = (id: string) => daemon.call('GET', `/messages/${id}`);

it('history.keep_days holds for all that ended, and for nothing that lives', async () => {
  const [alive, dead] = [
    await startWith(daemon, 'hello', { name: 'alive' }),
    await startWith(daemon, 'hello'),
  ];
  await daemon.until(alive, is('turn ended'));
  // A text that a terminal cannot carry has a file.
  const old = await send(alive, 'a\tb');
  expect(existsSync(join(daemon.home, 'messages', `${old}.txt`))).toBe(true);
  await daemon.sm('kill', dead);
  const place = (folder: string, id: string) => join(daemon.home, folder, id);
  await vi.waitFor(
    async () => expect((await daemon.call('GET', '/sessions')).body.sessions).toHaveLength(1),
    patience,
  );
  await daemon.crash();
  age();
  await daemon.start();
  const recent = await send(alive, 'c\td');

  await vi.waitFor(async () => expect((await trace(old)).status).toBe(404), patience);
  await vi.waitFor(() => expect(existsSync(place('sessions', dead))).toBe(false), patience);
  await vi.waitFor(() => expect(existsSync(place('messages', `${old}.txt`))).toBe(false), patience);
  expect((await daemon.call('GET', `/sessions/${dead}`)).status).toBe(404);
  expect((await daemon.call('GET', `/sessions/${dead}/contexts`)).status).toBe(404);
  await vi.waitFor(() => expect(existsSync(place('spool', dead))).toBe(false), patience);

  expect((await trace(recent)).body).toMatchObject({ message: { state: 'answered' } });
  expect(existsSync(place('messages', `${recent}.txt`))).toBe(true);
  expect(readdirSync(place('sessions', alive))).not.toEqual([]);
  expect((await daemon.events(alive)).filter(is('session created'))).toEqual([]);
  expect(await daemon.sm('send', 'alive', 'still there?', '--wait', '30')).toMatchObject({ code: 0 });
});
