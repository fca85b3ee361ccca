// The hook before a call of a tool, with 200 rules and with one, which it asks about in either case: what the rules cost.
import { callerKey, startDaemon, startSessions } from '../daemon.mjs';
import { round } from '../report.mjs';
import { interleave, median } from '../statistics.mjs';

const rounds = 40;
const warmUpRounds = 10;
const atOnce = 20;
const count = 200;
const calls = [
  'npm test -- --run src/engine',
  'cd packages/api && npm run build && git status --short',
  'ls',
];

export async function measure() {
  const one = await hookOf([{ deny: 'Bash(git push*)' }]);
  const many = await hookOf(
    Array.from({ length: count }, (_, i) =>
      i % 2 === 0 ? { deny: `Bash(tool-${i} --force *)` } : { allow: `Bash(program-${i} run *)` },
    ),
  );
  await many.check();
  const samples = await interleave(rounds, { many, one }, warmUpRounds);
  const [with200, with1] = [median(samples.many), median(samples.one)];
  return [
    {
      name: 'policies',
      what: `what ${count} rules add to the answer of the hook before a call`,
      value: with200 - with1,
      unit: 'ms',
      goal: { atMost: 1 },
      detail: `${round(with200)} ms with ${count} rules, ${round(with1)} ms with one`,
    },
  ];
}

/** Milliseconds that one answer takes. */
async function hookOf(policies) {
  const daemon = await startDaemon({ policies });
  const [session] = await startSessions(daemon, 1);
  const headers = { 'x-sm-session': session.id, 'x-sm-caller': callerKey(daemon, session.id) };
  const body = (command) => ({
    session_id: session.context.provider_id,
    cwd: daemon.work,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  });
  const post = (command) => daemon.call('POST', '/hooks/tool', body(command), headers);
  const run = async () => {
    const began = performance.now();
    for (let i = 0; i < atOnce; i += 1) await post(calls[i % calls.length]);
    return (performance.now() - began) / atOnce;
  };
  /** What is measured must be what denies. */
  const check = async () => {
    await post('cd x && tool-0 --force y');
    const { events } = await daemon.call('GET', `/events?session=${session.id}&limit=1000`);
    if (!events.some(({ type, step }) => type === 'question' && step === 'ruled'))
      throw new Error('the rules do not hold');
  };
  return Object.assign(run, { check });
}
