// The terminals of people who are attached to a pane of ours.
import { runTmux, type Tmux } from './tmux-process.ts';

/** Their device files; none where no server runs. */
export async function viewers(tmux: Tmux): Promise<string[]> {
  const { code, stdout } = await runTmux(tmux, [
    'list-clients',
    '-F',
    '#{client_control_mode} #{client_tty}',
  ]).catch(() => ({ code: 1, stdout: '' }));
  if (code !== 0) return [];
  return stdout.split('\n').flatMap((line) => (/^0 (\/dev\/.+)$/.exec(line) ?? []).slice(1));
}
