import { expect, it } from 'vitest';
import { GitError, gitOr } from './git.ts';

it('says that a directory is none, as git itself would', async () => {
  await expect(gitOr(['rev-parse'], { cwd: '/dev/null' })).rejects.toThrow(GitError);
});
