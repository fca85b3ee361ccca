// `npm run demo`: a manager and two workers, really spawned in tmux through the real daemon on a private state
// directory. The agents are scripted, so it needs no account and no network. Leaves nothing running.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventView } from '../protocol/event.ts';
import { eventName } from '../protocol/event-name.ts';
import type { SessionView } from '../protocol/session.ts';
import { narrate } from './narrate.ts';
import { createTeam, type Team } from './team.ts';

const started = Date.now();
const say = (text: string) =>
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${text}`);
const head = (text: string) => console.log(`\n${text}`);

const prompts = {
  manager: `You lead two workers.
[[bash sm spawn scripted --file parser.txt --name parser]]
[[bash sm spawn scripted --file tests.txt --name tests]]
[[bash sm children]]
[[say Both workers have their orders.]]`,
  parser: `Write the parser. [[bash sm task "write the parser"]] [[sleep 3]] [[bash echo 'parse = JSON.parse' > parser.js]] [[say The parser is in parser.js.]]`,
  tests: `Write its tests. [[bash sm task "write the tests"]] [[sleep 4]] [[bash echo 'assert(parse)' > parser.test.js]] [[say One test, and it passes.]]`,
};

/** Small steps, between which the agent takes up what comes. */
const reports =
  'Polish it. [[bashes 10 sleep 0.2]] [[bash sm status "polishing, half way"]] [[say It shines.]]';

/** What the worker does when it is told that its context is nearly full: as the instructions of a real one would say. */
const rotate = `echo 'Half of the inputs are tried. Next: the other half.' > notes.md
sm handoff notes.md
`;
/** Steps of half a second: the agent tells how full its context is once it has been quiet for 0.3 s. */
const fills =
  'Try every input. [[on critically high => sh rotate.sh]] [[on continue from where you left off => cat notes.md]] [[usage 131000]] [[bashes 24 sleep 0.5]]';

const is = (name: string) => (event: EventView) => eventName(event) === name;

async function play(team: Team): Promise<void> {
  head('A manager starts. It spawns its own workers, with sm, from its shell.');
  const manager = await team.spawn('manager', prompts.manager);
  const working = new Set<string>();
  let ordered = false;
  await team.until((event) => {
    const { session_id } = event;
    if (is('turn began')(event) && session_id !== manager) working.add(session_id);
    if (is('turn ended')(event) && session_id === manager) ordered = true;
    return ordered && working.size === 2;
  });

  head('We kill the daemon with SIGKILL while the workers work. They keep working, and it comes back.');
  await team.crash();
  await team.start();
  // Each worker's end is told to the manager as a message, which it takes like any other.
  const notices = new Set<unknown>();
  let told = 0;
  await team.until((event) => {
    if (event.type === 'notice-posted') notices.add(event.notice);
    if (is('message answered')(event) && notices.has(event.message)) told += 1;
    return told === 2;
  });

  head(
    'The parser gets more work, with a reminder. sm asks for its status during the turn; it answers with sm status.',
  );
  await team.sm('send', 'parser', reports, '--remind', '1');
  await team.until(is('status-reported'));
  await team.until(is('turn ended'));

  head(
    'The tests session compacts its context. A reminder waits until that is done; the parent gets a notice.',
  );
  await team.sm('slash', 'tests', '/compact [[sleep 2]]');
  await team.until(is('compaction began'));
  await team.sm('remind', '1', 'Look at the build. [[say The build is green.]]', '--for', 'tests');
  const { message: reminder } = await team.until(is('one-shot sent'));
  await team.until((event) => is('message answered')(event) && event.message === reminder);

  head(
    'The tests session fills its context. At the critical mark sm tells it; it writes a document and hands over.',
  );
  await team.sm('send', 'tests', fills);
  const rotated = await team.until(is('handoff done'));
  await team.until((event) => is('turn ended')(event) && event.session_id === rotated.session_id);
  say('sm handoff --show tests');
  console.log(await team.sm('handoff', '--show', 'tests'));

  head('A person interrupts the working manager with an urgent message.');
  await team.sm('send', 'manager', 'Think it over [[sleep 30]]');
  const sent = await team.sm('send', 'manager', 'Enough: ship it. [[say Shipped.]]', '--urgent');
  say(sent);
  const message = sent.match(/#([0-9a-f]{8})/)?.[1] ?? '';
  await team.until((event) => is('message answered')(event) && event.message === message);

  head(`sm trace ${message}`);
  console.log(await team.sm('trace', message));
  head('sm all');
  console.log(await team.sm('all'));
}

function summary(sessions: SessionView[], events: EventView[]): string[] {
  const count = (name: string) => events.filter(is(name)).length;
  return [
    `${sessions.length} sessions, ${count('message accepted')} of ${count('message queued')} messages accepted on evidence from the agent, ${count('turn ended')} turns ended,`,
    `survived one crash of the daemon, in ${((Date.now() - started) / 1000).toFixed(1)} s.`,
  ];
}

async function main(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'sm-demo-'));
  const work = join(root, 'project');
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'parser.txt'), prompts.parser);
  writeFileSync(join(work, 'tests.txt'), prompts.tests);
  writeFileSync(join(work, 'rotate.sh'), rotate);
  const team = createTeam({ root, work, dist: __dirname });
  const interrupted = () => void team.dispose().finally(() => process.exit(130));
  process.on('SIGINT', interrupted);
  process.on('SIGTERM', interrupted);
  try {
    await team.start();
    team.follow((event, name) => {
      const line = narrate(event, name);
      if (line) say(line);
    });
    await play(team);
    const [sessions, events] = await Promise.all([team.sessions(), team.events()]);
    head('Summary');
    for (const line of summary(sessions, events)) console.log(line);
  } finally {
    await team.dispose();
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
  console.log('Nothing is left running. Start your own agent with: sm claude');
}

main().catch((error: Error) => {
  console.error(`The demo failed: ${error.message}`);
  process.exitCode = 1;
});
