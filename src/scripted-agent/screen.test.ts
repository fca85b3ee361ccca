import { describe, expect, it } from 'vitest';
import * as composer from './composer.ts';
import { permissionDialog } from './dialog.ts';
import { drawAnew, drawFrame } from './screen.ts';
import { createView, type View } from './view.ts';

const SIZE = { columns: 40, rows: 16 };
const plain = (row: string) => row.replace(/\x1b\[[0-9;]*m/g, '').trimEnd();

function draw(change: (view: View) => void) {
  const view = createView('default');
  change(view);
  const frame = drawFrame(view, SIZE, 0);
  expect(frame.rows).toHaveLength(SIZE.rows);
  return { ...frame, plain: frame.rows.map(plain) };
}

const drawDraft = (text: string) =>
  draw((view) => {
    view.composer = composer.insert(composer.emptyComposer, text);
  });

describe('the screen', () => {
  it('shows an empty composer with the cursor in it', () => {
    const { rows, cursor } = drawDraft('');
    expect(rows[cursor.y]).toBe('❯\u00a0\x1b[7m \x1b[0m ');
    expect(cursor).toEqual({ x: 2, y: SIZE.rows - 3 });
  });

  it('puts the cursor after a draft, counting columns', () => {
    expect(drawDraft('hello').cursor.x).toBe(7);
    expect(drawDraft('日本é').cursor.x).toBe(7);
  });

  it('indents the rows of a draft of several lines', () => {
    const { plain, cursor } = drawDraft('one\ntwo');
    expect(plain.slice(cursor.y - 1, cursor.y + 1)).toEqual(['❯\u00a0one', '  two']);
    expect(cursor.x).toBe(5);
  });

  it('wraps a long draft, and keeps the cursor on the screen', () => {
    const { cursor } = drawDraft('x'.repeat(2000));
    expect(cursor.y).toBeLessThan(SIZE.rows);
    expect(cursor.x).toBeLessThan(SIZE.columns);
  });

  it('shows a placeholder, and no draft, while prompts are queued', () => {
    const { plain, cursor } = draw((view) => {
      view.queued = ['later'];
    });
    expect(plain[cursor.y]).toBe('❯\u00a0Press up to edit queued messages');
    expect(cursor.x).toBe(2);
  });

  it('stands at column one in a dialog, on the marked answer', () => {
    const { plain, cursor } = draw((view) => {
      view.dialog = permissionDialog('Bash command', 'ls', '/work');
    });
    expect(cursor.x).toBe(1);
    expect(plain[cursor.y]).toBe(' ❯ 1. Yes');
    expect(plain.join('\n')).not.toContain('❯\u00a0');
  });

  it('of a new version shows the same, with other lines around it', () => {
    const view = createView('default');
    const [known, drawn] = [drawFrame(view, SIZE, 0), drawAnew(view, SIZE, 0)];
    expect(drawn.cursor).toEqual(known.cursor);
    expect(drawn.rows.join()).not.toContain('─');
    expect(drawn.rows.join().replaceAll('┈', '─')).toBe(known.rows.join());
  });

  it('says that a draft is stashed', () => {
    const { plain } = draw((view) => {
      view.composer = composer.toggleStash(composer.insert(composer.emptyComposer, 'draft'));
    });
    expect(plain.some((row) => row.endsWith('› stashed'))).toBe(true);
  });
});
