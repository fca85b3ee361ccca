// Draws the pictures of the page in the guide: a small team of scripted agents on a real daemon, looked at by a real
// Chromium, on a desk and on a phone, in light and dark. Run it after a change of what they show: npm run page-pictures
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { root as repository } from './source.mjs';

const run = promisify(execFile);
const target = process.argv[2] ?? join(repository, 'docs/pictures');
const root = mkdtempSync(join(tmpdir(), 'sm-pictures-'));
const work = join(root, 'home/shop');
const bin = join(root, 'bin');
for (const folder of [work, bin, target]) mkdirSync(folder, { recursive: true });
execFileSync('git', ['init', '-q', '-b', 'main', work]);
writeFileSync(join(root, 'config.yaml'), 'server: { port: 0 }\n');
const program = join(repository, 'dist/sm.cjs');
writeFileSync(join(bin, 'sm'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
const env = {
  PATH: `${bin}:${process.env.PATH}`,
  HOME: join(root, 'home'),
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  SM_HOME: join(root, 'state'),
  SM_CONFIG: join(root, 'config.yaml'),
};
const sm = async (...args) => (await run('sm', args, { env, cwd: work })).stdout;

const prompts = {
  login:
    'Why is the login test flaky? [[usage 62000]] [[bash sm status "reproducing the failure"]] [[sleep 300]]',
  schema: 'Migrate the schema. [[usage 96000]] [[bash true]] [[sleep 1]] [[ask npm run migrate]]',
  guide: 'Bring the guide up to date. [[usage 24000]] [[say The guide is complete.]]',
};
const lead = `Fix the login test, and migrate the schema.
${Object.keys(prompts)
  .map((name) => `[[bash sm spawn scripted --file ${name}.txt --name ${name}]]`)
  .join('\n')}
[[usage 42000]] [[say All have their work.]]`;

const desk = { viewport: { width: 1180, height: 640 } };
const phone = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const pictures = [
  { name: 'desk', look: { ...desk, colorScheme: 'light' } },
  { name: 'phone', look: { ...phone, colorScheme: 'light' } },
  { name: 'question', look: { ...phone, colorScheme: 'dark' }, of: 'schema' },
  { name: 'session', look: { ...desk, colorScheme: 'light' }, of: 'lead' },
  { name: 'timeline', look: { ...desk, colorScheme: 'light' }, of: 'lead', tab: '/events' },
  { name: 'context', look: { ...desk, colorScheme: 'dark' }, of: 'lead', tab: '/context' },
  { name: 'terminal', look: { ...desk, colorScheme: 'dark' }, of: 'schema', tab: '/terminal' },
  { name: 'terminal-phone', look: { ...phone, colorScheme: 'light' }, of: 'schema', tab: '/terminal' },
];

/** What is there once a part of the page is drawn. */
const waits = { '/events': '.events li', '/context': '.curve', '/terminal': '.pane .line' };

const browser = await chromium.launch({
  executablePath: process.env.SM_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  for (const [name, prompt] of Object.entries(prompts)) writeFileSync(join(work, `${name}.txt`), prompt);
  await sm('spawn', 'scripted', lead, '--name', 'lead');
  const ids = await untilTheyAre({ lead: 'idle', login: 'working', schema: 'blocked', guide: 'idle' });
  for (const { name, look, of, tab = '' } of pictures) {
    const context = await browser.newContext(look);
    const page = await context.newPage();
    await page.goto((await sm('open', '--print')).trim());
    await page.locator('.session').first().waitFor();
    if (of) {
      await page.goto(`${new URL(page.url()).origin}/#s/${ids[of]}${tab}`);
      await page
        .locator(waits[tab] ?? '.messages li')
        .first()
        .waitFor();
    }
    await page.screenshot({ path: join(target, `${name}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
  await sm('kill', 'login', 'schema', 'guide', 'lead', '--yes').catch(() => {});
  await sm('down').catch(() => {});
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function untilTheyAre(wanted) {
  for (let tries = 0; tries < 300; tries += 1) {
    const { sessions } = JSON.parse(await sm('all', '--json'));
    const of = (name) => sessions.find((each) => each.display_name === name);
    const isReady = (name) => of(name)?.phase === wanted[name] && of(name).context?.used_percentage != null;
    if (of('login')?.agent_status_text && Object.keys(wanted).every(isReady))
      return Object.fromEntries(Object.keys(wanted).map((name) => [name, of(name).id]));
    await delay(100);
  }
  throw new Error(`They are not ${JSON.stringify(wanted)}: ${await sm('all')}`);
}
