// A session means its own lock, wherever it is. A person, or a parent, means the one where they are, or names its owner.

import { defineCommand } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import { type Io, ownSessionId } from '../io.ts';
import { directory } from '../text/directory.ts';

export default defineCommand({
  usage: '[SESSION]',
  about:
    'Releases your lock. A person releases the lock on this workspace, or the lock of SESSION. A session may also release\n' +
    'the lock of a child.',
  options: {},
  async run({ args: [ref], io, client }) {
    const self = ownSessionId(io);
    const owner = ref ?? (await ownerMeant(io, client, self));
    const { workspace } = await client.ask('DELETE /sessions/{ref}/lock', {
      ref: owner,
      body: { ...(self && { requester_session_id: self }) },
    });
    io.out(`Unlocked ${directory(workspace)}.\n`);
  },
});

async function ownerMeant(io: Io, client: Client, self: string | undefined): Promise<string> {
  if (self && (await client.ask('GET /sessions/{ref}', { ref: self })).lock) return self;
  const { workspace, lock } = await client.ask('GET /workspace', { query: { path: io.cwd } });
  if (lock) return lock.session_id;
  throw new Failure(`${directory(workspace)} is not locked. See all locks with: sm status`);
}
