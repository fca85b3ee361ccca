// Draws the pictures of the page in the guide: a small team of scripted agents on a real daemon, looked at by a real
// Chromium, on a desk and on a phone, in light and dark. Run it after a change of what they show: npm run page-pictures
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
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
const git = (...args) =>
  execFileSync('git', ['-C', work, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args]);
const code = (find) => `export function login(name: string) {
  const user = ${find};
  return user.session();
}
`;
git('init', '-q', '-b', 'main');
writeFileSync(join(work, '.gitignore'), '*.txt\n');
writeFileSync(join(work, 'login.ts'), code('find(name)'));
git('add', '.');
git('commit', '-q', '-m', 'first');
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
  { name: 'changes', look: { ...desk, colorScheme: 'light' }, of: 'login', tab: '/changes' },
  { name: 'flow', look: { ...desk, colorScheme: 'light' }, to: '#flow' },
  { name: 'timeline', look: { ...desk, colorScheme: 'light' }, of: 'lead', tab: '/events' },
  { name: 'context', look: { ...desk, colorScheme: 'dark' }, of: 'lead', tab: '/context' },
  { name: 'terminal', look: { ...desk, colorScheme: 'dark' }, of: 'schema', tab: '/terminal' },
  { name: 'terminal-phone', look: { ...phone, colorScheme: 'light' }, of: 'schema', tab: '/terminal' },
];

/** What is there once a part of the page is drawn. */
const waits = {
  '/changes': '.lines .comment',
  '/events': '.events li',
  '/context': '.curve',
  '/terminal': '.pane .line',
  '#flow': '.latest li',
};

const browser = await chromium.launch({
  executablePath: process.env.SM_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  for (const [name, prompt] of Object.entries(prompts)) writeFileSync(join(work, `${name}.txt`), prompt);
  await sm('spawn', 'scripted', lead, '--name', 'lead');
  const ids = await untilTheyAre({ lead: 'idle', login: 'working', schema: 'blocked', guide: 'idle' });
  await commentOn(ids.login);
  for (const { name, look, of, tab = '', to } of pictures) {
    const context = await browser.newContext(look);
    const page = await context.newPage();
    await page.goto((await sm('open', '--print')).trim());
    await page.locator('.session').first().waitFor();
    if (of || to) {
      await page.goto(`${new URL(page.url()).origin}/${to ?? `#s/${ids[of]}${tab}`}`);
      await page
        .locator(waits[to ?? tab] ?? '.messages li')
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

/** What the agent has changed, and what somebody says to it. */
async function commentOn(id) {
  const line = 'find(name, { timeout: 5 })';
  writeFileSync(join(work, 'login.ts'), code(line));
  const comment = {
    path: 'login.ts',
    side: 'new',
    line: 2,
    quote: `  const user = ${line};`,
    text: 'Take the time from the configuration.',
  };
  await new Promise((resolve, reject) => {
    const body = JSON.stringify(comment);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const socketPath = join(env.SM_HOME, 'sm.sock');
    request({ socketPath, method: 'POST', path: `/sessions/${id}/comments`, headers }, (answer) =>
      answer.statusCode === 200 ? resolve(answer.resume()) : reject(new Error(`${answer.statusCode}`)),
    )
      .once('error', reject)
      .end(body);
  });
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
