import { afterEach, beforeEach, expect, it } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { settled } from '../../test/support/engine.ts';
import { conversation, factOf, killIt, launched } from '../../test/support/session.ts';
import { person } from '../domain/core/names.ts';
import type { DigestView, SessionDigest } from '../protocol/digest.ts';

let app: Awaited<ReturnType<typeof testApp>>;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

type Part = Parameters<typeof factOf>[0];
const hear = (id: string, part: Part) =>
  app.engine.hear(id, factOf({ providerId: `${conversation}-${id}`, ...part } as Part));

async function start(id: string, parentId: string | null = null): Promise<void> {
  await app.engine.create(id, { parentId });
  await settled();
  await app.engine.runningOf(id).finish(launched);
  await hear(id, { is: 'agent-started' });
}

async function turn(id: string, n: number, end: Part): Promise<void> {
  await hear(id, { is: 'prompt-submitted', turnId: `p${n}`, text: 'do it' });
  await hear(id, { ...end, turnId: `p${n}` } as Part);
}

async function digest(
  query = '',
  headers: Record<string, string> = {},
): Promise<DigestView & { detail?: string }> {
  const since = new Date(0).toISOString();
  const { body } = await app.call('GET', `/digest?since=${since}${query}`, undefined, headers);
  return body as never;
}

const only = ({ families }: DigestView): SessionDigest => families[0]?.sessions[0] as SessionDigest;

it('counts turns by how they ended, and keeps the last words', async () => {
  await start('aaaa0001');
  await turn('aaaa0001', 1, { is: 'turn-ended', lastWords: 'first' });
  await turn('aaaa0001', 2, { is: 'turn-ended', end: 'failed', lastWords: 'overloaded' });
  await turn('aaaa0001', 3, { is: 'turn-ended', lastWords: 'all tests pass' });
  const told = await digest();
  expect(only(told)).toMatchObject({
    session_id: 'aaaa0001',
    phase: 'idle',
    started_at: expect.any(String),
    turns: { finished: 2, failed: 1, died: 0 },
    last_words: { text: 'all tests pass', failed: false },
    failed: 1,
    failures: [{ what: 'turn', why: 'overloaded' }],
    waits: null,
  });
  expect(told.totals).toMatchObject({ started: 1, turns_finished: 2, failed: 1, waiting: 0 });
});

it('says who answered what was asked: the person, a rule, or somebody at the terminal', async () => {
  await start('aaaa0001');
  const ask = (text: string) =>
    hear('aaaa0001', { is: 'permission-asked', turnId: 'p1', subject: text, text });
  const goOn = (subject: string) => hear('aaaa0001', { is: 'activity', turnId: 'p1', subject });
  await hear('aaaa0001', { is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
  await ask('one');
  await app.engine.submit('aaaa0001', {
    type: 'answer',
    id: 'answer-1',
    by: person,
    decision: 'allow',
    text: null,
  } as never);
  await goOn('one');
  await ask('two');
  await goOn('two');
  await ask('three');
  expect(only(await digest())).toMatchObject({
    questions: { asked: 3, answered_by_person: 1, answered_elsewhere: 1, answered_by_rules: 0 },
    waits: { what: 'answer', text: 'three', for: null },
  });
});

it('has whoever waits for a person first, with the whole family, then what went wrong', async () => {
  for (const id of ['aaaa0001', 'bbbb0001', 'cccc0001', 'dddd0001']) await start(id);
  await start('bbbb0002', 'bbbb0001');
  await turn('aaaa0001', 1, { is: 'turn-ended', lastWords: 'done' });
  await turn('cccc0001', 1, { is: 'turn-ended', end: 'failed', lastWords: 'overloaded' });
  await turn('cccc0001', 2, { is: 'turn-ended', lastWords: 'done' });
  await hear('dddd0001', { is: 'process-exited', code: 3 });
  await hear('bbbb0002', { is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
  await hear('bbbb0002', { is: 'permission-asked', turnId: 'p1', text: 'Bash: rm' });
  const { families, totals } = await digest();
  expect(families.map(({ id, sessions }) => [id, sessions.map((each) => each.session_id)])).toEqual([
    ['bbbb0001', ['bbbb0002', 'bbbb0001']],
    ['dddd0001', ['dddd0001']],
    ['cccc0001', ['cccc0001']],
    ['aaaa0001', ['aaaa0001']],
  ]);
  expect(families[1]?.sessions[0]).toMatchObject({ waits: { what: 'restore', text: 'exit code 3' } });
  expect(totals).toMatchObject({ waiting: 2, started: 5, failed: 2 });
});

it('knows a killed session and who killed it, which is no failure', async () => {
  await start('aaaa0001');
  await app.engine.submit('aaaa0001', killIt);
  await settled();
  await app.engine.runningOf('aaaa0001').finish({ of: 'kill' });
  expect(app.engine.get('aaaa0001')).toBeUndefined();
  expect(only(await digest())).toMatchObject({
    phase: 'exited',
    ended: { reason: 'killed', by: { kind: 'person' } },
    failed: 0,
    waits: null,
  });
});

it('leaves out what was before, and counts those of which there is nothing to tell', async () => {
  await start('aaaa0001');
  app.engine.clock.advance(60_000);
  const since = new Date(app.engine.clock.now()).toISOString();
  const { body } = await app.call('GET', `/digest?since=${since}`);
  expect(body).toMatchObject({ families: [], quiet: 1 });
});

it('tells of one session and all below it', async () => {
  for (const [id, parent] of [
    ['aaaa0001', null],
    ['aaaa0002', 'aaaa0001'],
    ['aaaa0003', 'aaaa0002'],
    ['aaaa0004', 'aaaa0001'],
  ] as const)
    await start(id, parent);
  const { families } = await digest('&session=aaaa0002');
  expect(families.flatMap(({ sessions }) => sessions.map((each) => each.session_id)).sort()).toEqual([
    'aaaa0002',
    'aaaa0003',
  ]);
});

it('tells an agent of its own family, and of no other', async () => {
  await start('aaaa0001');
  await start('aaaa0002', 'aaaa0001');
  await start('bbbb0001');
  const headers = { 'x-sm-caller': app.keys.of('aaaa0002') };
  expect((await digest('', headers)).families.map(({ id }) => id)).toEqual(['aaaa0001']);
  expect((await digest('&session=bbbb0001', headers)).detail).toContain('family');
});

it('reads more than one page, each event once', async () => {
  await start('aaaa0001');
  for (let n = 0; n < 520; n += 1) await turn('aaaa0001', n, { is: 'turn-ended', lastWords: `${n}` });
  expect(only(await digest())).toMatchObject({ turns: { finished: 520 }, last_words: { text: '519' } });
});
