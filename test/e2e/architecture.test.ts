// The direction of imports is what keeps the program sound, so it is checked.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groups } from '../../src/cli/commands.ts';

const src = join(import.meta.dirname, '../../src');

/** Which folders of src/ a folder may import from, besides itself. */
const allowed: Record<string, readonly string[]> = {
  domain: [],
  ports: ['domain'],
  protocol: [],
  engine: ['domain', 'ports'],
  store: ['domain', 'ports'],
  documents: ['domain', 'ports'],
  search: ['domain', 'ports', 'providers'],
  terminal: ['domain', 'ports'],
  worktrees: ['domain', 'ports'],
  headless: ['domain', 'ports'],
  sandbox: ['domain', 'ports'],
  providers: ['domain', 'ports', 'headless'],
  intake: ['domain', 'ports', 'engine'],
  telling: ['domain', 'ports', 'engine'],
  notify: ['domain', 'ports', 'telling'],
  server: ['domain', 'ports', 'engine', 'intake', 'protocol'],
  // Of the server only what it wants to know: types.
  fleet: ['domain', 'ports', 'engine', 'protocol', 'server', 'hub'],
  daemon: [
    'domain',
    'ports',
    'engine',
    'intake',
    'protocol',
    'server',
    'store',
    'documents',
    'telling',
    'notify',
    'search',
    'terminal',
    'worktrees',
    'providers',
    'sandbox',
    'backup',
    'doctor',
    'installed-hooks',
    'faces',
    'fleet',
    'hub',
  ],
  backup: ['domain', 'store', 'terminal', 'daemon', 'doctor'],
  doctor: [
    'ports',
    'notify',
    'providers',
    'sandbox',
    'server',
    'store',
    'daemon',
    'installed-hooks',
    'ledger',
  ],
  'installed-hooks': ['providers', 'daemon'],
  ledger: [],
  hub: [],
  setup: ['cli', 'daemon', 'doctor', 'installed-hooks', 'ledger', 'providers'],
  // Of the providers only what is declared: see `light`.
  client: ['protocol'],
  faces: ['protocol'],
  // Of the command line only its words: see `cli/text`.
  screen: ['protocol', 'client', 'faces', 'cli'],
  web: ['protocol', 'client', 'faces', 'cli', 'providers'],
  cli: ['protocol', 'client', 'providers', 'faces', 'screen', 'ledger', 'mcp', 'hub'],
  // Of the command line only what a command is; the commands themselves are handed to it.
  mcp: ['cli'],
  demo: ['protocol', 'client'],
  'scripted-agent': [],
};
const outside: Record<string, RegExp> = {
  domain: /^\b$/,
  ports: /^\b$/,
  protocol: /^@hono\/zod-openapi$/,
  engine: /^\b$/,
  client: /^node:/,
  faces: /^\b$/,
  screen: /^(node:|string-width$)/,
  web: /^preact(\/hooks)?$/,
  cli: /^node:/,
  demo: /^node:/,
  'scripted-agent': /^node:/,
};
/**
 * What is declared of each kind of agent. The CLI makes its commands and its help from it, and is started thousands of
 * times a day: so it is plain data, and leads to no code.
 */
const light = /^providers\/(cards|registry|[^/]+\/card)\.ts$/;
/** Programs beside the others, loaded by one command alone: what they may import on top. */
const apart: Record<string, RegExp> = {
  'cli/dispatch/template-file.ts': /^yaml$/,
  'screen/screen.ts': /^\b$/,
  'cli/qr.ts': /^uqr$/,
  'cli/terminal-elsewhere.ts': /^\b$/,
  'mcp/mcp.ts': /^\b$/,
  'fleet/fleet.ts': /^node:/,
  'hub/exchange.ts': /^@nats-io\/transport-node$/,
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'),
);
const importsOf = (file: string) =>
  [
    ...readFileSync(join(src, file), 'utf8').matchAll(
      /^(?:import|export|\} from)?.*(?:\bfrom|import\()\s*'([^',]+)'/gm,
    ),
  ].map((match) => match[1] as string);

/** Imports that are followed when the file is loaded. */
const staticImportsOf = (file: string) =>
  [
    ...readFileSync(join(src, file), 'utf8').matchAll(
      /^(?:import (?!type )|export |\} ).*\bfrom '([^']+)'/gm,
    ),
  ].map((match) => match[1] as string);

describe('what is declared of the agents', () => {
  it.each(files.filter((file) => light.test(file)))('%s leads to no code', (file) => {
    const loaded = staticImportsOf(file).map((name) => join(dirname(file), name).split(sep).join('/'));
    expect(loaded.filter((each) => !light.test(each) && !each.endsWith('.json'))).toEqual([]);
    expect(readFileSync(join(src, file), 'utf8')).not.toMatch(/\bimport\(|\brequire\(/);
  });

  it.each(files.filter((file) => /^(cli|web)\//.test(file)))(
    '%s loads nothing else of a provider',
    (file) => {
      const loaded = importsOf(file).map((name) => join(dirname(file), name).split(sep).join('/'));
      expect(loaded.filter((each) => each.startsWith('providers/') && !light.test(each))).toEqual([]);
    },
  );
});

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm;

describe('what is known of an agent stays in its folder', () => {
  const core = /^(domain|ports|engine|store|intake|documents|protocol|server|terminal|daemon)\//;
  /** The agent's name, the words of its screen, its commands and its keys. */
  const known = /claude|codex|\[Pasted|['"`]\/(clear|compact)\b|\bC-[su]\b/i;
  /** Names that scripts of others rely on. */
  const promised = /CLAUDE_SESSION_MANAGER_ID|\/hooks\/claude/g;

  // The terminal knows all keys, and no agent.
  it.each(files.filter((file) => core.test(file) && file !== 'ports/terminal.ts'))('%s', (file) => {
    const code = readFileSync(join(src, file), 'utf8').replace(comments, '').replace(promised, '');
    expect(code.split('\n').filter((line) => known.test(line))).toEqual([]);
  });
});

describe('what is loaded only when it is needed', () => {
  it.each(Object.keys(apart))('%s', (file) => {
    const importers = files.filter((each) =>
      staticImportsOf(each).some((name) => join(dirname(each), name).split(sep).join('/') === file),
    );
    expect(importers).toEqual([]);
  });
});

describe('the direction of imports', () => {
  it.each(files.map((file) => file.split(sep).join('/')))('%s', (file) => {
    const folder = file.split('/')[0] as string;
    expect(allowed, `say in this test what ${folder} may import`).toHaveProperty(folder);
    for (const name of importsOf(file)) {
      if (name.startsWith('.')) {
        const target = relative(src, join(src, dirname(file), name)).split(sep)[0] as string;
        expect([folder, ...(allowed[folder] ?? [])], `${file} imports ${name}`).toContain(target);
      } else if (outside[folder] && !apart[file]?.test(name)) {
        expect(name, `${file} imports ${name}`).toMatch(outside[folder] as RegExp);
      }
    }
  });
});

/** The rooms of the domain, the lowest first: each may call those before it. What goes up is announced. */
const rooms = ['policy', 'core', 'notices', 'delivery', 'turns', 'life', 'promises', 'context', 'limits'];

const ownImports = (file: string) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) =>
      relative(src, join(src, dirname(file), name))
        .split(sep)
        .join('/'),
    );

describe('the rooms of the domain', () => {
  it.each(files.filter((file) => file.startsWith(join('domain', '')) && file.split(sep).length === 3))(
    '%s calls downwards only',
    (file) => {
      const room = file.split(sep)[1] as string;
      expect(rooms).toContain(room);
      for (const target of ownImports(file)) {
        const [, other] = target.split('/') as [string, string];
        expect(rooms.slice(0, rooms.indexOf(room) + 1), `${file} imports ${target}`).toContain(other);
      }
    },
  );
});

describe('all time and all randomness come from a port', () => {
  const inner = /^(domain|ports|engine|intake|server|documents|protocol)\//;
  const direct =
    /\b(set(Timeout|Interval)|Date\.now|performance\.now|new Date|Math\.random|random(UUID|Bytes))\(\)?|timers\/promises/;
  it.each(files.filter((file) => inner.test(file) && file !== 'engine/virtual-clock.ts'))('%s', (file) => {
    const found = readFileSync(join(src, file), 'utf8').match(direct)?.[0] ?? '';
    // A date that is made of a given time is no clock.
    expect(found === 'new Date(' ? '' : found).toBe('');
  });
});

it('no file imports itself by way of others', () => {
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (state.get(file) === 'open') cycles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (state.has(file)) return;
    state.set(file, 'open');
    for (const next of ownImports(file)) if (/\.tsx?$/.test(next)) visit(next, [...way, file]);
    state.set(file, 'done');
  };
  for (const file of files) visit(file.split(sep).join('/'), []);
  expect(cycles).toEqual([]);
});

describe('what to type is for the faces to say', () => {
  /** Texts for agents, which have the command line; and two that are promised word for word. */
  const forAgents = 'domain/notices/wording.ts';
  const promised = ['sm handoff is self-directed only', 'sm handoff is not supported for'];
  const commands = groups.flatMap(({ entries }) => Object.keys(entries));
  const hint = new RegExp(`\\bsm (${commands.join('|')})\\b|[a-z.:] --[a-z]+|--[a-z-]+ [a-z]`);
  const below = files.filter((file) => /^(domain|engine|server|intake)\//.test(file) && file !== forAgents);

  it.each(below)('%s names no command and no option', (file) => {
    const code = readFileSync(join(src, file), 'utf8').replace(comments, '');
    const said = code.split('\n').filter((line) => hint.test(line));
    expect(said.filter((line) => !promised.some((each) => line.includes(each)))).toEqual([]);
  });
});
