// Many sessions in a database of the present schema, without a process for any of them: they have exited.
import { importSource } from './sources.mjs';

const words = 'reproducing the failure of the login test with the new cookie';

export async function fillSessions(database, count) {
  const { openSqliteStore } = await importSource('src/store/sqlite/store.ts');
  const { create } = await importSource('src/domain/life/lifecycle.ts');
  const { noOptions } = await importSource('src/domain/core/options.ts');
  const others = { isNameTaken: () => false, relative: () => null };
  const store = openSqliteStore(database);
  const now = Date.now();
  const sessions = Array.from({ length: count }, (_, number) => {
    const id = number.toString(16).padStart(8, '0');
    const repository = `/home/somebody/src/repository-${number % 20}`;
    const created = create(
      {
        type: 'create',
        id,
        provider: 'claude',
        providerId: id,
        parentId: number % 10 === 0 ? null : (number - (number % 10)).toString(16).padStart(8, '0'),
        name: `claude-${id}`,
        friendlyName: `worker-${number}`,
        workingDir: `${repository}/packages/part-${number % 7}`,
        gitRemoteUrl: null,
        worktree: null,
        model: null,
        options: noOptions,
        forkedFrom: null,
        member: null,
        tags: number % 10 === 0 ? ['night'] : [],
        env: {},
        prompt: null,
      },
      now,
      others,
    );
    return {
      ...created.session,
      process: {
        state: 'exited',
        at: now,
        code: 0,
        signal: null,
        reason: words,
        screen: null,
        killed: false,
      },
      status: { text: words, at: now },
      agentModel: 'Opus 4.1',
      checkout: { repository, root: repository, branch: `feature/${number}`, commit: null },
    };
  });
  await store.commit({ sessions, messages: [], events: [], owed: [], settled: [], facts: [] });
  await store.close();
}
