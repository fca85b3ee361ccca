// The form for a new session.

import type { SessionView } from '../protocol/session.ts';
import { cards } from '../providers/cards.ts';
import { Buttons } from './buttons.tsx';
import type { Deeds } from './deeds.ts';
import { useAnswer } from './use-answer.ts';

interface Props {
  readonly deeds: Deeds;
  readonly sessions: ReadonlyMap<string, SessionView>;
  close(): void;
}

export function SpawnForm({ deeds, sessions, close }: Props) {
  const asked = useAnswer(() => deeds.client.ask('GET /kinds'), []);
  // Those that every daemon has, until this one has said which it has.
  const kinds = asked.is === 'here' ? asked.answer.kinds : cards;
  const places = [...new Set([...sessions.values()].map(({ working_dir }) => working_dir))];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const given = (name: string) => String(fields.get(name) ?? '').trim();
    void deeds.perform(async (client) => {
      const body = {
        prompt: given('prompt'),
        provider: given('provider'),
        working_dir: given('directory'),
        ...(given('name') && { name: given('name') }),
      };
      const { session_id: id, name, friendly_name } = await client.ask('POST /sessions/spawn', { body });
      return `Started ${friendly_name ?? name} (${id}).`;
    });
  };
  return (
    <form onSubmit={submit}>
      <h2 id="dialog-title">New session</h2>
      <label>
        Agent
        <select name="provider">
          {kinds.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        Name
        <input name="name" placeholder="may be left empty" />
      </label>
      <label>
        Directory
        <input name="directory" required list="places" value={places[0] ?? ''} />
      </label>
      <datalist id="places">
        {places.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
      <label>
        Prompt
        <textarea name="prompt" required rows={4} />
      </label>
      <Buttons button="Start it" close={close} />
    </form>
  );
}
