import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTestTerminal } from '../../test/support/terminal.ts';

/** A tmux that takes its time, and notes when somebody begins and ceases to attach or to make the anchor. */
function slowTmux(): { program: string; notes(): string[] } {
  const directory = mkdtempSync(join(tmpdir(), 'sm-slow-tmux-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [program, notes] = [join(directory, 'tmux'), join(directory, 'notes')];
  const script = `
    case " $* " in
      *' new-session '*) what=make ;;
      *' -C '*) what=attach ;;
      *) exec tmux "$@" ;;
    esac
    echo "+$what" >>'${notes}'
    sleep 0.1
    tmux "$@"
    code=$?
    echo "-$what" >>'${notes}'
    exit $code
  `;
  writeFileSync(program, `#!/bin/sh\n${script}`);
  chmodSync(program, 0o755);
  return { program, notes: () => readFileSync(notes, 'utf8').trim().split('\n') };
}

test('nobody attaches while the server is started', async () => {
  const { program, notes } = slowTmux();
  const terminal = openTestTerminal({ tmux: program });
  const looking = async () => {
    const deadline = Date.now() + 60_000;
    while ((await terminal.panes()) === null) if (Date.now() > deadline) throw new Error('no server came');
  };
  await Promise.all([looking(), terminal.start('a', ['cat'])]);
  // Whatever was begun is over before anything else begins; only the link stays.
  const steps = notes();
  expect(steps.pop()).toBe('+attach');
  expect(steps.filter((step) => step === '+make')).toHaveLength(1);
  for (let at = 0; at < steps.length; at += 2) expect(steps[at + 1]).toBe(steps[at]!.replace('+', '-'));
});
