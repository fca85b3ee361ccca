// The keys that our pushes are signed with: made once, because every browser that subscribes does so for them.
import { readFileSync } from 'node:fs';
import type { PushKeys } from '../notify/push.ts';
import { replaceFile } from './private-file.ts';

export async function pushKeys(file: string): Promise<PushKeys> {
  const known = read(file);
  if (known) return known;
  const { makePushKeys } = await import('../notify/push.ts');
  const keys = makePushKeys();
  replaceFile(file, `${JSON.stringify(keys)}\n`);
  return keys;
}

/** Null: they are not there, or a file that was cut off. */
function read(file: string): PushKeys | null {
  try {
    const { publicKey, privateKey } = JSON.parse(readFileSync(file, 'utf8')) as Partial<PushKeys>;
    return publicKey && privateKey ? { publicKey, privateKey } : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
