import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testIo } from '../../../test/support/io.ts';
import { session } from '../../../test/support/stand-in-daemon.ts';
import { sessionTable, sessionTableByRepo } from './session-table.ts';
import { textWidth } from './width.ts';

const checkout = (name: string, branch: string | null) => ({
  name,
  repository: `/src/${name}`,
  root: `/src/${name}`,
  branch,
  commit: branch === null ? '0123456789ab' : null,
});
const lead = session({
  id: '66a8c9ee',
  name: 'lead',
  phase: 'working',
  model: 'Opus 4.1',
  checkout: checkout('shop', 'main'),
  working_dir: '/src/shop/packages/frontend',
  current_task: 'keep the team going until the shop opens',
});
const child = session({
  id: '340d0709',
  name: 'login',
  provider: 'codex',
  model: 'gpt-5-codex',
  parent_session_id: '66a8c9ee',
  tags: ['api', 'night'],
  checkout: checkout('app', 'fix-login'),
  working_dir: '/src/app',
  agent_status_text: 'reproducing the failure',
});
const stray = session({ id: 'd638c897', name: 'stray', working_dir: '/tmp', checkout: null });
const all = [lead, child, stray];

describe('the table of sessions', () => {
  it('has agent, model, repository, branch and tags, where there is room', () => {
    expect(sessionTable(testIo({ columns: 190 }), all)).toEqual([
      'NAME     ID        PHASE    AGENT   MODEL        ACTIVE  REPO  BRANCH     TAGS       DIRECTORY                    DOING',
      'lead     66a8c9ee  working  claude  Opus 4.1     2m ago  shop  main                  /src/shop/packages/frontend  keep the team going until the shop opens',
      '  login  340d0709  idle     codex   gpt-5-codex  2m ago  app   fix-login  api night  /src/app                     "reproducing the failure"',
      'stray    d638c897  idle     claude               2m ago                              /tmp',
    ]);
  });

  it('in 80 columns leaves out what matters least, and keeps who, what and where', () => {
    expect(sessionTable(testIo({ columns: 80 }), all)).toEqual([
      'NAME     ID        PHASE    AGENT   ACTIVE  REPO  BRANCH     DOING',
      'lead     66a8c9ee  working  claude  2m ago  shop  main       keep the team goin…',
      '  login  340d0709  idle     codex   2m ago  app   fix-login  "reproducing the f…',
      'stray    d638c897  idle     claude  2m ago',
    ]);
  });

  it('cuts paths at their beginning', () => {
    const deep = session({ working_dir: '/home/somebody/src/shop/packages/frontend/components' });
    const [, line] = sessionTable(testIo({ columns: 72 }), [deep]);
    expect(line).toMatch(/ …\S+packages\/frontend\/components$/);
  });

  it('shows a commit where no branch is checked out', () => {
    const [, line] = sessionTable(testIo(), [session({ checkout: checkout('app', null) })]);
    expect(line).toContain('  app   (0123456789ab)  ');
  });

  it('never wraps, from 80 columns up, whatever is in it', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', '漢', '👩‍👩‍👧', 'z', ' ', '/'),
      maxLength: 120,
      size: 'max',
    });
    const any = fc.record({
      name: text.map((each) => each.slice(0, 64)),
      model: fc.option(text),
      working_dir: text,
      agent_status_text: fc.option(text),
      tags: fc.array(
        text.map((each) => each.slice(0, 32)),
        { maxLength: 4 },
      ),
      branch: fc.option(text),
      repo: text,
    });
    fc.assert(
      fc.property(
        fc.array(any, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 80, max: 250 }),
        (given, columns) => {
          const sessions = given.map(({ branch, repo, ...rest }, index) =>
            session({ ...rest, id: `${index}`.padStart(8, '0'), checkout: checkout(repo, branch) }),
          );
          for (const table of [sessionTable, sessionTableByRepo])
            for (const line of table(testIo({ columns }), sessions))
              expect(textWidth(line)).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});

describe('the table by repository', () => {
  it('has each repository once, those outside of any last, and one heading', () => {
    expect(
      sessionTableByRepo(testIo({ columns: 80 }), [...all, { ...child, id: '1', parent_session_id: null }]),
    ).toEqual([
      'NAME   ID        PHASE    AGENT   MODEL        ACTIVE  BRANCH     DOING',
      'app (/src/app)',
      'login  340d0709  idle     codex   gpt-5-codex  2m ago  fix-login  "reproducing…',
      'login  1         idle     codex   gpt-5-codex  2m ago  fix-login  "reproducing…',
      '',
      'shop (/src/shop)',
      'lead   66a8c9ee  working  claude  Opus 4.1     2m ago  main       keep the team…',
      '',
      '(no repository)',
      'stray  d638c897  idle     claude               2m ago',
    ]);
  });
});
