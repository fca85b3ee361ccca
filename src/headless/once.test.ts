import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createConnection } from './connection.ts';
import { tellOnce } from './once.ts';
import type { Transport } from './transport.ts';

let folder: string;
let named: string[];
let reachable: boolean;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-once-'));
  mkdirSync(join(folder, 'say'));
  named = [];
  reachable = true;
});
afterEach(() => rmSync(folder, { recursive: true }));

/** `dies`: where whoever tells it is no more: nothing that comes after that is done. */
function open(dies?: 'before the note' | 'before the name') {
  const never = new Promise<never>(() => {});
  let dead = () => {};
  const death = new Promise<void>((resolve) => {
    dead = resolve;
  });
  const die = () => {
    dead();
    return never;
  };
  const transport: Transport = {
    async send(name, line, stored) {
      if (!reachable) return false;
      writeFileSync(join(folder, 'say', name), line);
      if (dies === 'before the note') return die();
      await stored?.();
      if (dies === 'before the name') return die();
      named.push(name);
      return true;
    },
    async again(name) {
      named.push(name);
      return true;
    },
    reach: async () => reachable,
    close() {},
  };
  const clock = { now: () => 0, timer: () => ({ cancel() {} }) };
  return { ...tellOnce<string>(folder, () => createConnection(transport, clock, () => 'u')), death };
}

/** As the agent is given it: what is named and there, and then it is gone. */
function given(): string[] {
  const there = named.splice(0).filter((name) => readdirSync(join(folder, 'say')).includes(name));
  return [...new Set(there)].map((name) => {
    const line = readFileSync(join(folder, 'say', name), 'utf8');
    rmSync(join(folder, 'say', name));
    return line;
  });
}

it('tells it, and notes that it did until that is settled', async () => {
  const once = open();
  expect(await once.tell('prompt:1', { say: 'it' }, 'a note')).toBe(true);
  expect(given()).toEqual(['{"say":"it"}']);
  expect([...open().notes]).toEqual([['prompt:1', 'a note']]);
  await once.settle('prompt:1');
  expect([...open().notes]).toEqual([]);
});

it('does not tell it twice, however often it is asked to', async () => {
  await open().tell('prompt:1', { say: 'it' }, 'a note');
  expect(given()).toHaveLength(1);
  expect(await open().tell('prompt:1', { say: 'it' }, 'a note')).toBe(true);
  expect(given()).toEqual([]);
});

it.each(['before the note', 'before the name'] as const)(
  'tells it once when its teller died %s',
  async (dies) => {
    const dying = open(dies);
    void dying.tell('prompt:1', { say: 'it' }, 'a note');
    await dying.death;
    expect(given()).toEqual([]);
    expect(await open().tell('prompt:1', { say: 'it' }, 'a note')).toBe(true);
    expect(given()).toEqual(['{"say":"it"}']);
  },
);

it('keeps no note of what could not be handed over', async () => {
  reachable = false;
  const once = open();
  expect(await once.tell('prompt:1', { say: 'it' }, 'a note')).toBe(false);
  expect([once.notes.size, open().notes.size]).toEqual([0, 0]);
});
