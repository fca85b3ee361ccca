// Keys for the selected session: its place in the list, and the acts that become commands of `sm`.
import { acts } from '../faces/acts.ts';
import { chosenFor } from '../faces/choices.ts';
import type { SessionView } from '../protocol/session.ts';
import { isNarrow } from './areas.ts';
import { editOf, emptyEdit } from './edit.ts';
import { and, chosen, noted, run, showText } from './next.ts';
import type { Next, State } from './state.ts';

export function sessionKey(state: State, session: SessionView, key: string, now: number): Next {
  const choice = chosenFor(state.choices, session, folding(state, session.id, key), now);
  if (choice) return chosen(state, choice);
  if (key === 'y') return copied(state, session);
  const act = acts.find((each) => each.key === key);
  if (!act) return and(state);
  if (key === 'enter' && isNarrow(state.size) && !state.opened) return and({ ...state, opened: true });
  if (!act.can(session))
    return noted(state, `${session.display_name} is ${session.phase}: ${act.words} is not possible.`, true);
  return begun(state, session, act.command);
}

/** The arrows fold and unfold, too, each only its own way. */
function folding({ choices }: State, id: string, key: string): string {
  const isFolded = choices.folded.has(id);
  return (key === 'left' && !isFolded) || (key === 'right' && isFolded) ? ' ' : key;
}

function copied(state: State, session: SessionView): Next {
  const pane = state.detail?.id === session.id ? state.detail.pane : null;
  if (!pane) return noted(state, `Copied ${session.id}.`, false, { do: 'copy', text: session.id });
  const text = pane.lines
    .map((line) => line.replace(/\x1b\[[\d;:]*m/g, '').trimEnd())
    .join('\n')
    .trimEnd();
  return noted(state, `Copied the screen of ${session.display_name}.`, false, { do: 'copy', text });
}

/** Either runs the command at once, or asks first for what it needs. */
function begun(state: State, session: SessionView, command: string): Next {
  const { id, display_name: name, question } = session;
  switch (command) {
    case 'attach':
      return and(state, { do: 'hand-over', argv: ['attach', id] });
    case 'send':
      return and({
        ...state,
        dialog: { kind: 'send', id, edit: state.drafts.get(id) ?? emptyEdit, mode: 'sequential' },
      });
    case 'answer':
      return and({ ...state, dialog: { kind: 'answer', id, question: question?.id ?? '', reason: null } });
    case 'name':
      return and({ ...state, dialog: { kind: 'rename', id, edit: editOf(name) } });
    case 'task':
      return and({ ...state, dialog: { kind: 'task', id, edit: editOf(session.current_task ?? '') } });
    case 'kill':
      return and({
        ...state,
        dialog: { kind: 'confirm', ask: `End ${name} (${id})? It can be restored.`, argv: ['kill', id] },
      });
    case 'clear':
      return and({
        ...state,
        dialog: {
          kind: 'confirm',
          ask: `Clear the context of ${name} (${id})? It forgets its conversation.`,
          argv: ['clear', id],
        },
      });
    case 'trace':
      return and({ ...state, dialog: { kind: 'messages', id, at: 0 } });
    case 'why':
    case 'queue':
    case 'contexts':
    case 'diff':
      return showText(state, [command, id], `${command} ${name}`);
    case 'output':
      return showText(state, ['output', id, '--lines', '1000'], `output ${name}`, 'end');
    case 'tail':
      return showText(state, ['tail', id, '--lines', '200'], `events of ${name}`, 'end');
    default:
      return run(state, [command, id]);
  }
}
