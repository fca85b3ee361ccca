import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDocuments } from './documents.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-documents-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const documents = () => createDocuments(join(root, 'kept'));
function written(name: string, text: string): string {
  writeFileSync(join(root, name), text);
  return join(root, name);
}

describe('a document', () => {
  it('is refused when nothing can be read from it, and nobody waits for a pipe', async () => {
    mkdirSync(join(root, 'folder'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const faults = ['folder', 'pipe', 'missing', 'missing/below'].map((name) =>
      documents().fault(join(root, name)),
    );
    expect(await Promise.all(faults)).toEqual([
      `${join(root, 'folder')} is not a regular file`,
      `${join(root, 'pipe')} is not a regular file`,
      `File not found: ${join(root, 'missing')}`,
      `File not found: ${join(root, 'missing/below')}`,
    ]);
    expect(await documents().fault(written('blank', ' \n\t'))).toBe(`${join(root, 'blank')} is empty`);
    expect(await documents().fault(written('good', 'Go on.'))).toBeNull();
  });

  it('is kept as it is, for nobody else to read', async () => {
    const path = written('notes.md', 'Go on.\n');
    const kept = await documents().keep('s1', 3, { path, newerThan: null });
    const copy = join(root, 'kept/s1/3.md');
    expect(kept).toEqual({ copy });
    writeFileSync(path, 'something else');
    expect(await documents().read(copy)).toBe('Go on.\n');
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });

  it('that is waited for counts from when it was asked for', async () => {
    const path = written('notes.md', 'Go on.');
    utimesSync(path, 100, 100);
    expect(await documents().keep('s1', 1, { path, newerThan: 100_001 })).toEqual({
      fault: `${path} has not been written since it was asked for`,
    });
    expect(await documents().keep('s1', 1, { path, newerThan: 100_000 })).toHaveProperty('copy');
  });
});

describe('what a compaction gives back', () => {
  async function recovered(text: string): Promise<string> {
    const path = written('notes.md', text);
    const how = { longest: 9_500, print: (words: string) => JSON.stringify({ words }) };
    await documents().publish('s1', { path, copy: path }, how);
    return JSON.parse(readFileSync(join(root, 'kept/s1/recovery.json'), 'utf8')).words;
  }

  it('is the document', async () => {
    expect(await recovered('"Step two"\n\\ and 字.')).toBe('"Step two"\n\\ and 字.');
    expect(await recovered('x'.repeat(9_500))).toBe('x'.repeat(9_500));
  });

  it.each(['x', '🎉', 'x🎉'])(
    'is cut where it is too long for the agent, at no half of a character, with a pointer: %s',
    async (part) => {
      const given = await recovered(part.repeat(9_501));
      const pointer = `\n\n[The document continues. Read all of it: ${join(root, 'notes.md')}]`;
      expect(given.endsWith(pointer)).toBe(true);
      expect(given.length).toBeLessThanOrEqual(9_500);
      expect(given.length).toBeGreaterThan(9_490);
      expect(given.slice(0, -pointer.length)).not.toMatch(/[\ud800-\udbff]$/);
    },
  );
});
