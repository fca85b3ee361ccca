import { afterEach, beforeEach, expect, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { settled, task } from '../../test/support/engine.ts';
import type { StreamItem } from '../protocol/event.ts';
import { beat } from './stream.ts';

let app: Awaited<ReturnType<typeof testApp>>;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

interface Heard {
  readonly id: number | null;
  readonly item: StreamItem | ':';
}

/** Reads pieces one by one, as a slow reader may. */
async function listen(query = '', headers: Record<string, string> = {}) {
  const answer = await app.open(`/events${query}`, headers);
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  return {
    async next(): Promise<Heard[] | 'over'> {
      const { done, value } = await reader.read();
      if (done) return 'over';
      const blocks = Buffer.from(value).toString('utf8').split('\n\n').slice(0, -1);
      return blocks.map((block) => {
        const id = /^id: (\d+)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        return {
          id: id === undefined ? null : Number(id),
          item: data === undefined ? ':' : JSON.parse(data),
        };
      });
    },
    leave: () => reader.cancel(),
  };
}

const items = (heard: Heard[] | 'over') => (heard === 'over' ? [] : heard.map(({ item }) => item));
const told = (heard: Heard[] | 'over') =>
  items(heard).map((item) => {
    if (item === ':') return item;
    if (item.is === 'event') return `${item.event.number} ${item.event.type}`;
    if (item.is === 'session') return `view ${item.session.id}: ${item.session.current_task}`;
    if (item.is === 'connected')
      return `connected ${item.after} ${item.sessions?.map(({ id }) => id) ?? 'without views'}`;
    if (item.is === 'channels') return `broken: ${item.broken.join(', ')}`;
    return `end: ${item.why}`;
  });

test('from now on, each event with its number', async () => {
  await app.engine.create('a');
  const reader = await listen();
  expect(told(await reader.next())).toEqual(['connected 2 without views']);
  await app.engine.submit('a', task('one'));
  expect(await reader.next()).toMatchObject([
    { id: 3, item: { is: 'event', event: { number: 3, type: 'task-set', task: 'one', session_id: 'a' } } },
  ]);
});

test('whoever comes back gets exactly what it has not had, also of long ago', async () => {
  await app.engine.create('a');
  for (let i = 0; i < 250; i += 1) await app.engine.submit('a', task(`t${i}`));
  const reader = await listen('', { 'last-event-id': '5' });
  const numbers: number[] = [];
  expect(told(await reader.next())).toEqual(['connected 5 without views']);
  while (numbers.at(-1) !== 252)
    for (const { id } of (await reader.next()) as Heard[]) numbers.push(id as number);
  expect(numbers).toEqual(Array.from({ length: 247 }, (_, i) => i + 6));
  await app.engine.submit('a', task('live'));
  expect(told(await reader.next())).toEqual(['253 task-set']);
});

test('events that come while a reader is behind are neither lost nor told twice', async () => {
  await app.engine.create('a');
  for (let i = 0; i < 250; i += 1) await app.engine.submit('a', task(`t${i}`));
  const reader = await listen('?after=0');
  const numbers: number[] = [];
  while (numbers.at(-1) !== 302) {
    for (const { id, item } of (await reader.next()) as Heard[])
      if (item !== ':' && item.is === 'event') numbers.push(id as number);
    if (numbers.length > 0 && numbers.length < 250) await app.engine.submit('a', task('more'));
    else if (numbers.at(-1) !== 302) await app.engine.submit('a', task('more still'));
  }
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});

test('views: all sessions at first, then each that changes, also without an event', async () => {
  await app.engine.create('a');
  await app.engine.createIdle('b');
  const reader = await listen('?views=true');
  const [first] = items(await reader.next());
  expect(first).toMatchObject({ is: 'connected', sessions: [{ id: 'a' }, { id: 'b', phase: 'idle' }] });
  await app.engine.submit('a', task('one'));
  expect(told(await reader.next())).toEqual([expect.stringContaining('task-set'), 'view a: one']);
  const usage = { percentage: 12.5, tokens: 1, windowSize: 8, costUsd: null, model: null };
  await app.engine.hear('b', { is: 'usage', providerId: null, ...usage } as never);
  expect(items(await reader.next())).toContainEqual(
    expect.objectContaining({ is: 'session', session: expect.objectContaining({ id: 'b' }) }),
  );
});

test('what could not be stored is not told', async () => {
  await app.engine.create('a');
  app.engine.broken = new Error('the disk is full');
  const failing = app.engine.submit('a', task('never'));
  const reader = await listen('?views=true');
  const first = reader.next();
  await expect(failing).rejects.toThrow('full');
  app.engine.broken = null;
  expect(items(await first)).toMatchObject([
    { is: 'connected', sessions: [{ id: 'a', current_task: null }] },
  ]);
  await app.engine.submit('a', task('then'));
  expect(told(await reader.next())).toEqual(['3 task-set', 'view a: then']);
});

test('a session that was killed is told with its end', async () => {
  await app.engine.createIdle('a');
  const reader = await listen('?views=true');
  await reader.next();
  const kill = app.engine.submit('a', { type: 'kill', by: { kind: 'person' } });
  await settled();
  for (const effect of [...app.engine.running]) await effect.finish({ of: 'kill' } as never).catch(() => {});
  await kill;
  const views: unknown[] = [];
  while (views.length === 0 || !(views.at(-1) as { ended: unknown }).ended) {
    for (const item of items(await reader.next()))
      if (item !== ':' && item.is === 'session') views.push(item.session);
  }
  expect(views.at(-1)).toMatchObject({ id: 'a', ended: { killed: true } });
});

test('of one session only', async () => {
  await app.engine.create('a');
  await app.engine.create('b');
  const reader = await listen('?session=b&views=true&after=0');
  expect(told(await reader.next())).toEqual(['connected 0 b']);
  await app.engine.submit('a', task('not this'));
  await app.engine.submit('b', task('this'));
  const heard: string[] = [];
  while (heard.length < 4) heard.push(...told(await reader.next()));
  expect(heard.filter((each) => !each.startsWith('view'))).toEqual(['3 session', '4 context', '6 task-set']);
  expect(heard).toContain('view b: this');
});

test('a history that was replaced by an older one is started again, and says so', async () => {
  await app.engine.create('a');
  const reader = await listen('', { 'last-event-id': '900' });
  expect(told(await reader.next())).toEqual(['connected 2 without views']);
  await app.engine.submit('a', task('one'));
  expect(told(await reader.next())).toEqual(['3 task-set']);
});

test('a sign of life at every beat, and nothing else', async () => {
  await app.engine.create('a');
  const reader = await listen();
  await reader.next();
  const next = reader.next();
  await settled();
  app.engine.clock.advance(beat);
  expect(items(await next)).toEqual([':']);
});

test('who takes nothing is dropped with a last word, and can come back', async () => {
  await app.engine.create('a');
  const reader = await listen();
  await settled();
  for (let i = 0; i < 3; i += 1) {
    await app.engine.submit('a', task(`t${i}`));
    await settled();
    app.engine.clock.advance(beat);
    await settled();
  }
  const heard: Heard[] = [];
  for (let next = await reader.next(); next !== 'over'; next = await reader.next()) heard.push(...next);
  expect(told(heard).at(-1)).toBe('end: slow');
  const last = heard.findLast(({ id }) => id !== null)?.id;
  const again = await listen('', { 'last-event-id': String(last) });
  const [, ...rest] = [...((await again.next()) as Heard[]), ...((await again.next()) as Heard[])];
  const all = [...heard, ...rest].flatMap(({ id, item }) =>
    item !== ':' && item.is === 'event' ? [id] : [],
  );
  expect(all).toEqual([3, 4, 5]);
});

test('everybody hears that the daemon stops', async () => {
  await app.engine.create('a');
  const reader = await listen();
  await reader.next();
  const next = reader.next();
  await settled();
  app.stream.close();
  expect(told(await next)).toEqual(['end: stopping']);
  expect(await reader.next()).toBe('over');
});

test('when the last one has left, nothing goes on', async () => {
  await app.engine.create('a');
  const reader = await listen();
  await reader.next();
  const before = app.engine.clock.pending;
  await reader.leave();
  expect(app.engine.clock.pending).toBe(before - 1);
});

test('who sees all sessions is told which channels do not work, at first and when that changes', async () => {
  await app.breakChannels('phone');
  const all = await listen('?views=true');
  expect(items((await all.next()) as Heard[])).toMatchObject([
    { is: 'connected', broken_channels: ['phone'] },
  ]);
  await app.breakChannels('phone', 'team');
  expect(told(await all.next())).toEqual(['broken: phone, team']);
  // The same again is no news.
  await app.breakChannels('phone', 'team');
  await app.breakChannels();
  expect(told(await all.next())).toEqual(['broken: ']);
});

test('who sees one session is not told of channels', async () => {
  await app.engine.create('a');
  await app.breakChannels('phone');
  const one = await listen('?views=true&session=a');
  expect(items((await one.next()) as Heard[])).toMatchObject([{ is: 'connected', broken_channels: null }]);
  await app.breakChannels();
  await app.engine.submit('a', task('one'));
  expect(told(await one.next())).toEqual(['3 task-set', 'view a: one']);
});
