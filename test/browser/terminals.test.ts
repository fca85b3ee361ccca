// Terminals that are opened and left leave nothing behind: no process, no open file, no client of tmux. A part of what the
// whole number takes minutes for: SM_TEST_OPENINGS=1000
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { openBrowser, origin, type Visit, visit } from './browser.ts';

const openings = Number(process.env.SM_TEST_OPENINGS ?? 25);

let daemon: TestDaemon;
let browser: Browser;
let visitor: Visit;
beforeAll(async () => {
  daemon = await startTestDaemon();
  browser = await openBrowser();
  visitor = await visit(browser, daemon);
});
afterAll(async () => {
  await visitor?.close();
  await browser?.close();
  await daemon?.dispose();
});

async function left() {
  const children = readdirSync('/proc').filter((each) => {
    if (!/^\d+$/.test(each)) return false;
    try {
      return (
        / \((?:.*)\) \S (\d+)/.exec(readFileSync(`/proc/${each}/stat`, 'utf8'))?.[1] === String(daemon.pid)
      );
    } catch {
      return false;
    }
  });
  return {
    processes: children.length,
    files: openFiles().length,
    clients: (await daemon.tmux('list-clients')).split('\n').filter(Boolean).length,
  };
}

function openFiles(): string[] {
  const folder = `/proc/${daemon.pid}/fd`;
  return readdirSync(folder).map((each) => {
    try {
      return readlinkSync(`${folder}/${each}`);
    } catch {
      return 'closed meanwhile';
    }
  });
}

it(`${openings} of them`, { timeout: 120_000 + openings * 4_000 }, async () => {
  const id = await startIdle(daemon, 'shown');
  // The index begins with the first search or soon by itself, and has files of its own: no terminal's.
  expect((await daemon.sm('search', 'shown')).code).toBe(0);
  const { page } = visitor;
  const look = async () => {
    await page.goto(`${origin(daemon)}/#s/${id}/terminal`);
    await page.locator('.pane .line').first().waitFor();
    await page.goto(`${origin(daemon)}/#s/${id}`);
    await page.locator('.pane').waitFor({ state: 'detached' });
  };
  await look();
  const before = await until('nobody looks', async () => {
    const now = await left();
    return now.clients === 1 && now;
  });
  const filesBefore = openFiles();
  for (let n = 0; n < openings; n += 1) await look();
  await until(
    'all of it is gone',
    async () => {
      const now = await left();
      return now.processes <= before.processes && now.clients === before.clients && now.files <= before.files;
    },
    {
      instead: async () => JSON.stringify({ before, now: await left(), filesBefore, filesNow: openFiles() }),
    },
  );
  expect(visitor.faults).toEqual([]);
});
