// A backup while agents work, and the way back with agents that go on.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
let file: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  file = join(daemon.work, 'backup.db');
}, 60_000);
afterAll(() => daemon?.dispose(), 60_000);

describe('sm backup and sm restore-backup', () => {
  it('go back to what was, keep what is, and say what comes of each agent', async () => {
    const before = await startWith(daemon, 'hello', { name: 'before' });
    await daemon.untilSession(before, ({ phase }) => phase === 'idle');
    const made = await daemon.sm('backup', 'backup.db');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain(`Backed up to ${file}: 1 session, `);

    await daemon.sm('name', 'before', 'after');
    const later = await startWith(daemon, 'hello', { name: 'later' });
    await daemon.untilSession(later, ({ phase }) => phase === 'idle');

    const running = await daemon.sm('restore-backup', 'backup.db');
    expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining('The daemon is running.') });
    await daemon.sm('down');
    const alive = await daemon.sm('restore-backup', 'backup.db');
    expect(alive).toMatchObject({ code: 1, stderr: expect.stringContaining('Agents are still running: ') });
    expect(alive.stderr).toContain(`before (${before})`);
    expect(alive.stderr).toContain(later);
    await daemon.start();
    expect(await daemon.session(before)).toMatchObject({ friendly_name: 'after' });

    const done = await daemon.sm('restore-backup', 'backup.db', '--stop');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain(`before (${before}) keeps running`);
    expect(done.stdout).toContain(`${later} is not in the backup; it keeps running without sm.`);
    const [kept] = readdirSync(daemon.home).filter((name) => name.startsWith('sm.db.replaced-'));
    expect(done.stdout).toContain(join(daemon.home, kept as string));

    await daemon.start();
    expect(await daemon.session(before)).toMatchObject({ friendly_name: 'before', phase: 'idle' });
    expect((await daemon.call('GET', `/sessions/${later}`)).status).toBe(404);
    const { number } = await daemon.until(before, is('session adopted'));
    expect(await daemon.sm('send', 'before', 'once more', '--wait', '30')).toMatchObject({ code: 0 });
    await daemon.until(before, is('turn ended'), number);
    expect(await daemon.tmux('list-sessions', '-F', '#S')).toContain(later);
  });

  it('is of one moment, though the daemon works on', async () => {
    const worker = await startWith(daemon, 'hello', { name: 'worker' });
    await daemon.untilSession(worker, ({ phase }) => phase === 'idle');
    const copy = join(daemon.work, 'busy.db');
    let said = 0;
    const report = async () => {
      const text = `${said} ${'x'.repeat(1_900)}`;
      expect(await daemon.call('POST', `/sessions/${worker}/agent-status`, { text })).toMatchObject({
        status: 200,
      });
      said += 1;
    };
    while (said < 300) await report();
    let done = false;
    const made = daemon.sm('backup', copy).finally(() => (done = true));
    while (!done) await report();
    expect(await made).toMatchObject({ code: 0, stderr: '' });
    const db = new DatabaseSync(copy, { readOnly: true });
    const { body } = db.prepare('SELECT body FROM session WHERE id = ?').get(worker) as { body: string };
    const told = db
      .prepare(
        "SELECT body FROM event WHERE session_id = ? AND body LIKE '%status-reported%' ORDER BY number",
      )
      .all(worker)
      .map((row) => JSON.parse((row as { body: string }).body).text.split(' ')[0]);
    db.close();
    expect(told).toEqual(Array.from({ length: told.length }, (_, i) => String(i)));
    expect(JSON.parse(body).status?.text.split(' ')[0]).toBe(told.at(-1));
    expect(told.length).toBeGreaterThanOrEqual(300);
    expect(told.length).toBeLessThan(said);
  });

  it('do not take the place of a file, nor a file that is none', async () => {
    expect(await daemon.sm('backup', 'backup.db')).toMatchObject({
      code: 1,
      stderr: `Error: ${file} already exists, and sm does not overwrite it. Name another file.\n`,
    });
    writeFileSync(join(daemon.work, 'notes.md'), 'no backup');
    const { pid } = (await daemon.call<{ pid: number }>('GET', '/health')).body;
    const refused = await daemon.sm('restore-backup', 'notes.md', '--stop');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('not a backup of sm') });
    // What cannot be done stops nothing.
    expect((await daemon.call('GET', '/health')).body).toMatchObject({ pid });
  });
});
