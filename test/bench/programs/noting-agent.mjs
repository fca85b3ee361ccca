#!/usr/bin/env node
// An agent that does nothing but note when it is given an Enter: it says through its hook that it has started, shows
// an empty composer, and appends the time of each Enter, in milliseconds, to ID.enters in its directory.
import { spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const id = process.argv[process.argv.findIndex((arg) => arg === '--session-id' || arg === '--resume') + 1];
const cwd = process.cwd();
const transcript = join(cwd, `${id}.jsonl`);
const rule = '─'.repeat(24);
writeFileSync(transcript, '');
process.stdin.setRawMode(true);
process.stdout.write(`\x1b[?2004h\x1b[2J\x1b[H${rule}\n❯ \n${rule}\x1b[2;3H`);
const started = {
  hook_event_name: 'SessionStart',
  session_id: id,
  source: 'startup',
  transcript_path: transcript,
  cwd,
};
spawnSync('sh', [process.env.BENCH_HOOK], { input: JSON.stringify(started) });
process.stdin.on('data', (keys) => {
  const at = performance.timeOrigin + performance.now();
  if (keys.includes(13)) appendFileSync(join(cwd, `${id}.enters`), `${at}\n`);
});
