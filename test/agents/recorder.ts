// Records what the agent tells its hooks and its status line. Every call becomes a file of its own, so that
// calls at the same moment cannot mix; a test waits for the file it wants to see.
import {
  type FSWatcher,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface Fact {
  hook_event_name: string;
  session_id: string;
  transcript_path: string;
  prompt_id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: what else is in it differs from event to event
  [field: string]: any;
}

export interface Recorder {
  /** To be given to the agent with `--settings`. */
  settings: string;
  /** In the order of arrival. Calls of the status line have the name `StatusLine`. */
  facts(): readonly Fact[];
  /** How many there are now: what comes later can be told from what was there. */
  mark(): number;
  /** The names of what came after the mark, without the status line, which comes when it likes. */
  namesSince(mark: number): string[];
  /** The first fact of that name, after the mark, which the predicate accepts. */
  waitFor(name: string, options?: WaitOptions): Promise<Fact>;
  /** What the hook of that event prints from now on. Held hooks answer now. */
  answer(event: string, output: object): void;
  close(): void;
}

export interface WaitOptions {
  wanted?: (fact: Fact) => boolean;
  after?: number;
  timeoutMs?: number;
}

const recorded = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Notification',
  'Stop',
  'StopFailure',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
];

/** `held` names events whose hook waits until `answer` is called. */
export function startRecorder(dir: string, { held = [] }: { held?: readonly string[] } = {}): Recorder {
  const [inbox, answers] = [join(dir, 'facts'), join(dir, 'answers')];
  for (const path of [inbox, answers]) mkdirSync(path, { recursive: true });
  const program = join(dir, 'record.sh');
  writeFileSync(program, recordingProgram(inbox, answers), { mode: 0o755 });

  const command = (...args: string[]) => ({ type: 'command', command: [program, ...args].join(' ') });
  const hooks = recorded.map((name) => [
    name,
    [{ hooks: [command(name, held.includes(name) ? 'held' : '')] }],
  ]);
  const settings = { hooks: Object.fromEntries(hooks), statusLine: command('StatusLine') };

  const facts: Fact[] = [];
  const seen = new Set<string>();
  const waiting = new Set<() => void>();
  const readNew = () => {
    const files = readdirSync(inbox).filter((file) => !file.startsWith('.') && !seen.has(file));
    const arrived = files.map((file) => ({
      file,
      at: statSync(join(inbox, file), { bigint: true }).mtimeNs,
    }));
    for (const { file } of arrived.sort((a, b) => Number(a.at - b.at))) {
      seen.add(file);
      const name = file.split('.')[0]!;
      const text = readFileSync(join(inbox, file), 'utf8');
      // An agent that is killed while it tells something tells nothing.
      if (text !== '') facts.push({ ...JSON.parse(text), hook_event_name: name });
    }
    for (const look of waiting) look();
  };
  const watcher: FSWatcher = watch(inbox, readNew);

  return {
    settings: JSON.stringify(settings),
    facts: () => facts,
    mark: () => facts.length,
    namesSince: (mark) =>
      facts
        .slice(mark)
        .map((fact) => fact.hook_event_name)
        .filter((name) => name !== 'StatusLine'),
    waitFor: (name, { wanted = () => true, after = 0, timeoutMs = 15_000 } = {}) =>
      new Promise((resolve, reject) => {
        const settle = (finish: () => void) => {
          clearTimeout(timer);
          waiting.delete(look);
          finish();
        };
        const look = () => {
          const found = facts.slice(after).find((fact) => fact.hook_event_name === name && wanted(fact));
          if (found) settle(() => resolve(found));
        };
        const timer = setTimeout(() => {
          const heard = facts.slice(after).map((fact) => fact.hook_event_name);
          settle(() =>
            reject(new Error(`waited ${timeoutMs} ms for ${name}; heard: ${heard.join(', ') || 'nothing'}`)),
          );
        }, timeoutMs);
        waiting.add(look);
        look();
      }),
    answer: (event, output) => writeFileSync(join(answers, event), JSON.stringify(output)),
    close: () => watcher.close(),
  };
}

// A fact is moved into place when it is whole. The status line must print something to be shown. A held hook
// does not outlive the test, whose directory goes with it.
const recordingProgram = (inbox: string, answers: string) => `#!/bin/sh
part=$(mktemp "${inbox}/.part.XXXXXX")
cat > "$part"
mv "$part" "${inbox}/$1.\${part##*.}"
[ "$1" = StatusLine ] && echo 'status of the recorder'
while [ "$2" = held ] && [ -d "${answers}" ] && [ ! -s "${answers}/$1" ]; do sleep 0.05; done
[ -s "${answers}/$1" ] && cat "${answers}/$1"
exit 0
`;
