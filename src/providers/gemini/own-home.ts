// Gemini CLI takes hooks from its user's settings, from the project's, and from extensions; a file for one process it takes only
// from root. So each session has a home of its own for it: every entry of the user's is a link in it, and beside his
// extensions stands one of ours, with our hooks. Nothing of the user's is written by us.
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../ports/provider.ts';

/** Where it keeps its own: `.gemini` in here. */
export const userHome = (env: Environment): string => env.GEMINI_CLI_HOME || env.HOME || homedir();

/** What it writes itself, also where nothing is there yet: a login must outlive the session. */
const files = [
  'settings.json',
  'oauth_creds.json',
  'google_accounts.json',
  'trustedFolders.json',
  'installation_id',
];
const folders = ['tmp', 'history'];

export async function makeOwnHome(own: string, user: string, hooks: object): Promise<void> {
  const [theirs, ours] = [join(user, '.gemini'), join(own, '.gemini')];
  await mkdir(ours, { recursive: true, mode: 0o700 });
  await Promise.all(folders.map((name) => mkdir(join(theirs, name), { recursive: true, mode: 0o700 })));
  const present = await readdir(theirs);
  const names = new Set([...present, ...files, ...folders]);
  names.delete('extensions');
  for (const name of names) await link(join(theirs, name), join(ours, name));
  const extensions = join(ours, 'extensions');
  await rm(extensions, { recursive: true, force: true });
  await mkdir(join(extensions, 'sm', 'hooks'), { recursive: true });
  for (const name of await readdir(join(theirs, 'extensions')).catch(() => []))
    if (name !== 'sm') await link(join(theirs, 'extensions', name), join(extensions, name));
  const about = { name: 'sm', version: '1.0.0' };
  await writeFile(join(extensions, 'sm', 'gemini-extension.json'), JSON.stringify(about));
  await writeFile(join(extensions, 'sm', 'hooks', 'hooks.json'), JSON.stringify({ hooks }, null, 2));
}

/** A file that it has written in place of the link is newer than what the link led to, and stays the session's own. */
async function link(to: string, at: string): Promise<void> {
  await symlink(to, at).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
