import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseFaults } from './faults.ts';
import { openTranscript } from './transcript.ts';

it('a line that is torn is whole in the end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sm-torn-'));
  try {
    const path = join(folder, 'c1.jsonl');
    const transcript = openTranscript(path, 'c1', '/work', parseFaults('torn-lines:2'));
    for (const text of ['one', 'two', 'three']) transcript.note({ type: 'note', text });
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(['one', 'two', 'three']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
