// An agent of a version that draws its composer as none did before, from the held message to its delivery.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

/** An idle session whose screen sm does not know, until `becomeKnown` is called. */
async function startStrange(name: string): Promise<{ id: string; becomeKnown: () => void }> {
  const file = join(daemon.work, `${name}-is-known`);
  const env = { PATH: process.env.PATH, HOME: daemon.home, SCRIPTED_FAULTS: `new-composer:${file}` };
  return { id: await startIdle(daemon, name, { env }), becomeKnown: () => writeFileSync(file, '') };
}

const told = 'screen not recognised (scripted 1.0.0)';
const waits = (message: string, id: string) =>
  `[sm] Your message #${message} waits: the screen of strange (${id}) is not recognised (scripted 1.0.0). sm types nothing into it. See: sm doctor`;

describe('an agent whose screen is not recognised', () => {
  it('gets nothing; its sender, the lists and the doctor say so, also after a crash; then it gets it', async () => {
    const sender = await startIdle(daemon, 'sender');
    const { id, becomeKnown } = await startStrange('strange');
    const { message_id: message } = await sendText(daemon, id, 'hello [[say hi]]', {
      sender_session_id: sender,
    });
    await daemon.until(id, is('message held', { message }));

    const event = await daemon.until(id, is('screen unrecognised'));
    expect(event).toMatchObject({ provider: 'scripted', agent_version: '1.0.0' });
    expect(await daemon.session(id)).toMatchObject({
      phase: 'idle',
      agent_version: '1.0.0',
      screen_unrecognised_since: expect.stringMatching(/^\d{4}-/),
    });
    await daemon.until(sender, is('turn ended'));
    expect(await promptsOf(daemon, sender)).toEqual([waits(message, id)]);
    for (const command of [['all'], ['queue', id], ['wait', id, '0']])
      expect((await daemon.sm(...command)).stdout, command[0]).toContain(told);

    const doctor = (await daemon.sm('doctor')).stdout;
    expect(doctor).toMatch(/warn screens +not recognised: strange \(\w{8}\), scripted 1\.0\.0\n/);
    expect(doctor).toContain(`Report it with the output of: sm doctor --report ${id}\n`);
    const report = (await daemon.sm('doctor', '--report', 'strange')).stdout;
    expect(report).toMatch(/^sm \d+\.\d+\.\d+, node v\d+.*\nstrange \(\w{8}\): scripted 1\.0\.0\n/);
    expect(report).toContain('┈┈┈');

    await daemon.crash();
    await daemon.start();
    await daemon.until(id, is('session adopted'));
    expect((await daemon.session(id)).screen_unrecognised_since).not.toBeNull();
    // Whatever was owed to the sender comes before this.
    const late = await sendText(daemon, id, 'later', { sender_session_id: sender });
    expect(late.state).not.toBe('accepted');

    becomeKnown();
    await daemon.until(id, is('screen recognised'));
    await daemon.until(id, is('message answered', { message: late.message_id }));
    const prompts = (await promptsOf(daemon, id)).join('\n');
    expect(prompts.match(/hello|later/g)).toEqual(['hello', 'later']);
    expect((await daemon.session(id)).screen_unrecognised_since).toBeNull();
    expect((await daemon.events(id)).filter(is('notice-posted', { about: 'screen' }))).toHaveLength(1);
    expect((await daemon.events(id)).filter(is('screen unrecognised'))).toHaveLength(1);
    expect((await daemon.sm('doctor')).stdout).toMatch(/ok +screens +recognised/);
  });
});
