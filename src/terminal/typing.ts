// Writing into a pane: test and keys are one command list inside the tmux server, so nothing a human does fits
// between them. Text travels through a paste buffer: no shell and no key name ever interprets it.

import { randomUUID } from 'node:crypto';
import type { HumanStep, TypeOutcome, Typing } from '../ports/terminal.ts';
import type { ControlClient } from './control-client.ts';
import { TerminalFailed } from './errors.ts';
import { NAME_OPTION } from './panes.ts';
import { tmuxLine } from './quote.ts';
import { runTmux, saysNoServer, type Tmux } from './tmux-process.ts';

/**
 * A process for every text would cost more than all the rest. But tmux takes words apart letter by letter, and nothing
 * else happens there meanwhile: what is long comes by a process of its own, to which it is just bytes.
 */
const isLong = ({ text }: { text: string }): boolean => text.length > 4_096;

export async function typeInto(
  { tmux, client }: { tmux: Tmux; client: ControlClient },
  pane: { name: string; id: string },
  { onlyIf, steps }: { readonly onlyIf: Typing['onlyIf']; readonly steps: readonly HumanStep[] },
): Promise<TypeOutcome> {
  const target = ['-t', pane.id];
  const buffers: { buffer: string; text: string }[] = [];
  const keys: string[][] = [];
  for (const step of steps) {
    if ('key' in step) {
      keys.push(['send-keys', ...target, step.key]);
    } else if ('text' in step) {
      keys.push(['send-keys', '-l', ...target, '--', asText(step.text)]);
    } else if (step.paste !== '') {
      const buffer = `sm-${randomUUID()}`;
      buffers.push({ buffer, text: asText(step.paste) });
      // -p brackets it if the program asked for that, -r leaves line feeds alone, -d removes the buffer.
      keys.push(['paste-buffer', '-p', '-r', '-d', '-b', buffer, ...target]);
    }
  }
  const typed = [...keys, ['display-message', '-p', 'typed']];
  const untyped = [
    ...buffers.map(({ buffer }) => ['delete-buffer', '-b', buffer]),
    // Each command is answered, so that there have to be as many of them as are typed.
    ...Array.from({ length: keys.length - buffers.length }, () => ['display-message', '-p', '']),
    // tmux does not mind a target that is not there: the name is empty then.
    ['display-message', '-p', ...target, `untyped:#{${NAME_OPTION}}`],
  ];
  const attempt = [
    'if-shell',
    '-F',
    ...target,
    condition(pane.name, onlyIf),
    tmuxLine(typed),
    tmuxLine(untyped),
  ];

  for (const { buffer, text } of buffers.filter(isLong)) {
    const { code, stderr } = await runTmux(tmux, ['load-buffer', '-b', buffer, '-'], text);
    if (code === 0) continue;
    if (saysNoServer(stderr)) return 'gone';
    throw new TerminalFailed(`tmux did not take the text: ${stderr.trim()}`);
  }
  const short = buffers.filter((each) => !isLong(each));
  const texts = short.map(({ buffer, text }) => ['set-buffer', '-b', buffer, '--', text]);
  const reply = await client.requestOnce([...texts, attempt], typed.length);
  if (reply.kind === 'not-running') return 'gone';
  if (reply.kind === 'refused') throw new TerminalFailed(`tmux did not type: ${reply.message}`);
  const said = reply.outputs.at(-1)?.join('\n');
  if (said === 'typed') return 'typed';
  return said === `untyped:${pane.name}` ? 'changed' : 'gone';
}

/** Keys that go to a dead pane are lost, and in copy mode they drive that: no typing in either, whatever was asked. */
function condition(name: string, onlyIf: Typing['onlyIf']): string {
  const wanted: [string, string | number][] = [
    [NAME_OPTION, name],
    ['pane_dead', 0],
    ['pane_in_mode', 0],
  ];
  if (onlyIf !== 'always') wanted.push(['cursor_x', onlyIf.cursor.x], ['cursor_y', onlyIf.cursor.y]);
  return wanted
    .map(([field, value]) => `#{==:#{${field}},${value}}`)
    .reduce((all, one) => `#{&&:${all},${one}}`);
}

/**
 * A paste is text. Control characters become their pictures (ESC ␛), for `ESC [201~` would end the bracketed
 * paste and turn what follows into keys; tmux itself does likewise from 3.7 on. Tab, LF and CR stay.
 */
export function asText(paste: string): string {
  return paste.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : '\ufffd';
  });
}
