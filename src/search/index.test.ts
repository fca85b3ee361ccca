// The index on a real store: what is found, in which order, and what becomes of it when one of the two is lost.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batch, message, session } from '../../test/conformance/store/records.ts';
import type { NewEvent } from '../domain/core/event.ts';
import type { Sender } from '../domain/core/names.ts';
import type { SearchQuery } from '../ports/search.ts';
import type { Store } from '../ports/store.ts';
import { termsOf } from '../server/search-terms.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { openSearchIndex, type SearchIndex } from './index.ts';

let folder: string;
let store: Store;
let index: SearchIndex;
const paths = () => ({
  database: join(folder, 'sm.db'),
  index: join(folder, 'search.db'),
  handoffs: join(folder, 'handoffs'),
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-search-'));
  store = openSqliteStore(paths().database);
  index = openSearchIndex(paths());
});
afterEach(async () => {
  index.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

function reopen(between = () => {}): void {
  index.close();
  between();
  index = openSearchIndex(paths());
}

const evidence = { source: 'hook', id: 'h', at: 1 } as const;
const person: Sender = { kind: 'person' };

const send = (id: string, at: number, text: string, to = 's1', from: Sender = person) =>
  store.commit(
    batch({
      messages: [message(id, at, { text, to, from, createdAt: at })],
      events: [
        {
          sessionId: to,
          at,
          body: { type: 'message', message: id, state: 'queued', from, mode: 'sequential' },
        },
      ],
    }),
  );

const stopped = (sessionId: string, at: number, lastWords: string | null): NewEvent => ({
  sessionId,
  at,
  body: {
    type: 'turn',
    step: 'ended',
    turn: `t${at}`,
    end: 'ended',
    lastWords,
    evidence,
  } as NewEvent['body'],
});
const say = (sessionId: string, at: number, words: string | null) =>
  store.commit(batch({ events: [stopped(sessionId, at, words)] }));

const anything: Omit<SearchQuery, 'terms'> = {
  session: null,
  from: null,
  since: null,
  within: null,
  limit: 20,
  full: true,
};
function find(words: string, more: Partial<SearchQuery> = {}): (string | null)[] {
  const read = termsOf(words);
  if ('fault' in read) throw new Error(read.fault);
  return index.find({ ...anything, terms: read.terms, ...more }).hits.map(({ text }) => text);
}

describe('finds', () => {
  it('messages and last words, the newest first, as soon as they are stored', async () => {
    await send('m1', 1, 'Fix the login page');
    await say('s1', 2, 'The LOGIN page is fixed.');
    expect(find('login')).toEqual(['The LOGIN page is fixed.', 'Fix the login page']);
    await send('m2', 3, 'login again');
    expect(find('login')).toEqual(['login again', 'The LOGIN page is fixed.', 'Fix the login page']);
  });

  it('all words in any order, phrases side by side, and beginnings', async () => {
    await send('m1', 1, 'the cache of the parser');
    await send('m2', 2, 'the parser cache');
    expect(find('parser cache')).toEqual(['the parser cache', 'the cache of the parser']);
    expect(find('"parser cache"')).toEqual(['the parser cache']);
    expect(find('pars*')).toHaveLength(2);
    expect(find('pars')).toEqual([]);
  });

  it('names of files and of functions, and letters with and without their marks', async () => {
    await send('m1', 1, 'see src/login_page.test.ts');
    await send('m2', 2, 'Größe und Café');
    expect(find('login_page.test.ts')).toHaveLength(1);
    expect(find('login_page')).toHaveLength(1);
    expect(find('cafe')).toEqual(['Größe und Café']);
    expect(find('große')).toEqual(['Größe und Café']);
  });

  it('what one session was told or said, what one wrote, and what is not older than a time', async () => {
    const lead: Sender = { kind: 'session', id: 's2', name: 'lead' };
    await send('m1', 10, 'word one');
    await send('m2', 20, 'word two', 's1', lead);
    await say('s2', 30, 'word three');
    expect(find('word', { session: 's1' })).toEqual(['word two', 'word one']);
    expect(find('word', { from: 's2' })).toEqual(['word three', 'word two']);
    expect(find('word', { from: 'person' })).toEqual(['word one']);
    expect(find('word', { since: 20 })).toEqual(['word three', 'word two']);
    expect(find('word', { limit: 1 })).toEqual(['word three']);
  });

  it('for a session, what its family was told and said, and what it wrote itself', async () => {
    const child: Sender = { kind: 'session', id: 'kid', name: 'kid' };
    await store.commit(
      batch({ sessions: [session('top'), session('kid', { parentId: 'top' }), session('other')] }),
    );
    await send('m1', 1, 'word to top', 'top');
    await send('m2', 2, 'word to kid', 'kid');
    await send('m3', 3, 'word to other', 'other');
    await send('m4', 4, 'word from kid', 'other', child);
    const within = { eldest: 'top', self: 'kid' };
    expect(find('word', { within })).toEqual(['word from kid', 'word to kid', 'word to top']);
    expect(find('word', { within, session: 'other' })).toEqual(['word from kid']);
  });

  it('a handoff document, with its line', async () => {
    mkdirSync(join(folder, 'handoffs', 's1'), { recursive: true });
    const path = join(folder, 'handoffs', 's1', '3.md');
    writeFileSync(path, '# Notes\n\nThe migration is half done.\n');
    await store.commit(
      batch({
        events: [
          { sessionId: 's1', at: 5, body: { type: 'handoff', step: 'done', path: 'x.md', context: 4 } },
        ],
      }),
    );
    const [term] = [{ words: ['migration'], prefix: false }];
    expect(index.find({ ...anything, terms: [term] }).hits).toMatchObject([
      { place: { kind: 'document', path, line: 3 }, matched: 'migration' },
    ]);
  });

  describe('in a transcript', () => {
    const path = () => join(folder, 'transcript.jsonl');
    const line = (type: string, content: unknown) => `${JSON.stringify({ type, message: { content } })}\n`;
    const transcript = () => ({ path: path(), offset: 0, turnId: null });

    beforeEach(async () => {
      const s1 = session('s1', { provider: 'claude' });
      await store.commit(
        batch({ sessions: [{ ...s1, context: { ...s1.context, transcript: transcript() } }] }),
      );
      await say('s1', 1, null);
      find('nothing');
    });

    const hits = (words: string) =>
      index.find({ ...anything, terms: [{ words: [words], prefix: false }] }).hits;

    it('what was said and done in a turn, by its line', async () => {
      const use = { type: 'tool_use', input: { command: 'git bisect start' } };
      writeFileSync(
        path(),
        line('user', '[sm] from the user #0123abcd:\nwalrus') +
          line('assistant', [{ type: 'text', text: 'I look for the walrus' }, use]),
      );
      await say('s1', 2, 'Done.');
      expect(hits('bisect')).toMatchObject([{ at: 2, place: { kind: 'transcript', path: path(), line: 2 } }]);
      expect(hits('walrus')).toMatchObject([{ place: { line: 2 }, matched: 'walrus' }]);
      expect(hits('done')).toMatchObject([{ place: { kind: 'words' } }]);
    });

    it('each turn has what came since the last one, also after a restart', async () => {
      writeFileSync(path(), line('assistant', [{ type: 'text', text: 'one walrus' }]));
      await say('s1', 2, null);
      expect(hits('walrus')).toMatchObject([{ at: 2 }]);
      reopen();
      appendFileSync(path(), `${line('assistant', [{ type: 'text', text: 'two walruses' }])}{"half`);
      await say('s1', 3, null);
      expect(hits('walruses')).toMatchObject([{ at: 3, place: { line: 2 } }]);
      expect(hits('walrus')).toMatchObject([{ at: 2, place: { line: 1 } }]);
    });

    it('nothing in a file that is gone', async () => {
      writeFileSync(path(), line('assistant', [{ type: 'text', text: 'one walrus' }]));
      await say('s1', 2, 'Done.');
      expect(hits('walrus')).toHaveLength(1);
      rmSync(path());
      expect(hits('walrus')).toEqual([]);
      expect(hits('done')).toHaveLength(1);
    });
  });

  it('not what sm writes, which repeats others, nor a message again that waits again', async () => {
    await send('m1', 1, 'word', 's1', { kind: 'sm' });
    await send('m2', 2, 'word');
    await store.commit(
      batch({
        events: [
          {
            sessionId: 's1',
            at: 3,
            body: {
              type: 'message',
              message: 'm2',
              state: 'queued',
              from: person,
              mode: 'sequential',
              why: 'again',
            },
          },
        ],
      }),
    );
    expect(find('word')).toHaveLength(1);
  });
});

it('whatever is typed is taken as words, and never as a sign of the index', async () => {
  await send('m1', 1, 'NEAR and OR and NOT');
  expect(find('NOT NEAR OR')).toHaveLength(1);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
      const read = termsOf(typed);
      if (!('fault' in read)) index.find({ ...anything, terms: read.terms });
    }),
    { numRuns: 300 },
  );
});

const upTo = (last: number) => Array.from({ length: last }, (_, i) => stopped('s1', i + 1, `word ${i + 1}`));
const word = [{ words: ['word'], prefix: false }];

it('what stood in the store before is taken in step by step, the newest first', async () => {
  await store.commit(batch({ events: upTo(2_000) }));
  const { hits, from } = index.find({ ...anything, terms: word, limit: 1 });
  expect(hits).toMatchObject([{ text: 'word 2000' }]);
  expect(from).toBeGreaterThan(1_000);
  while (index.step());
  expect(find('word', { limit: 3_000 })).toHaveLength(2_000);
  expect(index.find({ ...anything, terms: word }).from).toBeNull();
});

it('goes on where it was, and takes nothing in twice', async () => {
  await store.commit(batch({ events: upTo(700) }));
  index.step();
  reopen();
  await say('s1', 701, 'word 701');
  index.step();
  reopen();
  while (index.step());
  const expected = Array.from({ length: 701 }, (_, i) => `word ${701 - i}`);
  expect(find('word', { limit: 1_000 })).toEqual(expected);
  expect(index.size()).toBe(701);
});

describe('what is forgotten', () => {
  it('is not found, and leaves the index', async () => {
    await store.commit(batch({ events: upTo(2_000) }));
    while (index.step());
    await store.forget({ ended: 1_991, facts: 1_991 }, async () => {});
    expect(find('word')).toHaveLength(10);
    let after: number | null = 0;
    while (after !== null) after = index.prune(after);
    expect(find('word')).toHaveLength(10);
    expect(find('word 5')).toEqual([]);
    expect(index.size()).toBe(10);
  });
});

describe('the index is made again', () => {
  beforeEach(async () => {
    await send('m1', 1, 'word');
    expect(find('word')).toEqual(['word']);
  });

  it('when it is lost', () => {
    reopen(() => rmSync(paths().index));
    expect(find('word')).toEqual(['word']);
  });

  it('when it is damaged', () => {
    reopen(() => {
      const { size } = statSync(paths().index);
      truncateSync(paths().index, 0);
      writeFileSync(paths().index, 'x'.repeat(size));
    });
    expect(find('word')).toEqual(['word']);
  });

  it('when the history is another one, as after a backup was restored', async () => {
    index.close();
    await store.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${paths().database}${end}`, { force: true });
    store = openSqliteStore(paths().database);
    await say('s1', 7, 'other');
    index = openSearchIndex(paths());
    expect(find('word')).toEqual([]);
    expect(find('other')).toEqual(['other']);
  });
});
