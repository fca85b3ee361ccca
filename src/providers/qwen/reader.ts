// What Qwen Code writes for us while it runs: of all that, only its dialogs, which are answered by their names.
import { record, text } from '../values.ts';
import { subjectOf } from './hooks.ts';
import { parse } from './transcript.ts';

export interface QwenReader {
  /** What it says first: from then on it watches what it is told. */
  readonly ready: boolean;
  /** Requests that stand, and what each is about. */
  readonly asked: ReadonlyMap<string, string>;
  /** What was asked about, if this line says that it goes on. */
  line(words: string): string | null;
}

export function readQwen(): QwenReader {
  let ready = false;
  const asked = new Map<string, string>();

  function line(words: string): string | null {
    // Words as they are spoken are most of the lines.
    if (!/"type":"(system|control_request|control_response)"/.test(words)) return null;
    const said = parse(words);
    if (!said) return null;
    if (said.type === 'system') ready ||= said.subtype === 'session_start';
    if (said.type === 'control_request') {
      const id = text(said.request_id);
      const { tool_name: tool, input } = record(said.request);
      if (id !== null) asked.set(id, subjectOf(text(tool) ?? '', input));
      return null;
    }
    if (said.type !== 'control_response') return null;
    const id = text(record(said.response).request_id) ?? '';
    const subject = asked.get(id) ?? null;
    asked.delete(id);
    return record(said.response).subtype === 'error' ? null : subject;
  }

  return {
    get ready() {
      return ready;
    },
    asked,
    line,
  };
}
