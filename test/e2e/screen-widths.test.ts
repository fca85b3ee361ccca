// Text of every width in the list: what stands to the right of it stays in its column, in a real terminal.
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { useRoom } from '../support/seat.ts';
import { startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';

const here = useRoom();

/** Wide, combining, joined, of either direction, without a width of their own, and of uncertain width. */
const pieces = [
  ...['日本語', '한국어', '中文字', 'ｆｕｌｌ', 'ｶﾅ', '각', '㍿', '（全）'],
  ...[
    'e\u0301',
    'n\u0303o',
    'a\u0308\u0323',
    'ก็',
    'กำ',
    'ท\u0e35\u0e48',
    'क्षि',
    'नमस्ते',
    'தமிழ்',
    'Z\u0351\u0343',
  ],
  ...['👍', '👍🏽', '👩‍💻', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪', '🇩', '1️⃣', '❤️', '❤', '☀︎', '✅', '🫠', '🧑🏿‍🚀'],
  ...['שלום', 'مرحبا', 'a\u200bb', 'a\u00adb', 'a\u2060b', '\u200d', 'ﷺ', '…', '─│', '½', '№', '\u3000', 'ß'],
];
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** 200 of them: each piece at each of a few places, until it is cut. */
const strings = Array.from({ length: 200 }, (_, n) => {
  const piece = (at: number) => pieces[(n * 7 + at * (1 + Math.floor(n / pieces.length))) % pieces.length];
  const start = letters.slice(0, n % 5);
  return `${start}${Array.from({ length: 1 + (n % 12) }, (_, at) => piece(at)).join(n % 3 === 0 ? ' ' : '')}${n}`;
});

/** A name has letters and digits of any script, and nothing that combines. */
const nameOf = (number: number, text: string) =>
  `${number}.${text.replace(/[^\p{L}\p{N} ]/gu, '').slice(0, 40)}`.trim();

/** In a terminal of 100 columns: the time, then how full the context is. */
const clockColumn = 82;
const ofRow = /\d\d:\d\d ▓▓░░░ {2}42%$/;

/** tmux gives a column to every character that has a width, also to the second one of a cluster. */
const columnsBefore = (row: string, end = 0) =>
  [...row.slice(0, end)].reduce((sum, character) => sum + stringWidth(character), 0);

it('keeps every column exact beside 200 strings of wide, combining and emoji text', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 8; n += 1) ids.push(await startIdle(here.daemon, `row-${n}`));
  for (const id of ids) {
    const usage = {
      session_id: id,
      used_percentage: 42,
      total_input_tokens: 84_000,
      context_window_size: 200_000,
    };
    expect((await here.daemon.call('POST', '/hooks/context-usage', usage)).status).toBe(200);
  }
  const seat = await here.room.sit('widths', '100x40');
  await seat.sees('row-7');
  const wrong: string[] = [];
  for (let first = 0; first < strings.length; first += ids.length) {
    const texts = strings.slice(first, first + ids.length);
    for (const [at, text] of texts.entries()) {
      const path = `/sessions/${ids[at]}`;
      const named = await here.daemon.call('PATCH', path, { friendly_name: nameOf(first + at, text) });
      const tasked = await here.daemon.call('PUT', `${path}/task`, { task: `${first + at}. ${text}${text}` });
      expect([named.status, tasked.status], text).toEqual([200, 200]);
    }
    const rows = await until(
      `the rows from ${first} on`,
      async () => {
        const lines = (await seat.lines()).filter((line) => /^ ○ /.test(line));
        return texts.every((_, at) => lines.some((line) => line.includes(` ${first + at}. `))) && lines;
      },
      { instead: seat.shown },
    );
    for (const row of rows) {
      const clock = ofRow.exec(row);
      if (columnsBefore(row, clock?.index) !== clockColumn) wrong.push(row);
    }
  }
  expect(wrong).toEqual([]);
  await seat.press('q');
  await seat.sees('left with 0');
});
