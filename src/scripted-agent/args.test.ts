import { describe, expect, it } from 'vitest';
import { parseArgs, UsageError } from './args.ts';

describe('the command line', () => {
  it('takes flags, and one prompt', () => {
    const options = parseArgs([
      '--autocompact',
      '100k',
      '--permission-mode=manual',
      '--name',
      'worker',
      'do it',
    ]);
    expect(options).toMatchObject({
      autocompact: 100_000,
      permissionMode: 'default',
      name: 'worker',
      prompt: 'do it',
    });
  });

  it('refuses what it does not know', () => {
    expect(() => parseArgs(['--nosuch'])).toThrow("error: unknown option '--nosuch'");
    expect(() => parseArgs(['--session-id', 'x'])).toThrow(UsageError);
    expect(() => parseArgs(['--model'])).toThrow('argument missing');
  });
});
