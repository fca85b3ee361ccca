// What the papers say of commands, settings and each other is true.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { entryOf, groups } from '../../src/cli/commands.ts';
import { parseConfig } from '../../src/daemon/config.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('what npm run docs writes is current', () => {
  const { status, stderr } = spawnSync('node', ['scripts/reference.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

describe('the man pages', () => {
  const folder = join(root, 'man');
  const words = groups.flatMap(({ entries }) => Object.keys(entries));

  it('are one for each command, and one for all of them', () => {
    expect(readdirSync(folder).sort()).toEqual(['sm.1', ...words.map((word) => `sm-${word}.1`)].sort());
  });

  const hasGroff = spawnSync('groff', ['--version']).status === 0;
  it.skipIf(!hasGroff)('read well (skipped without groff)', async () => {
    const { status, stderr } = spawnSync(
      'groff',
      ['-man', '-Tutf8', '-ww', '-z', ...readdirSync(folder).map((file) => join(folder, file))],
      { encoding: 'utf8' },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const page = spawnSync('groff', ['-man', '-Tascii', '-P-c', join(folder, 'sm-send.1')], {
      encoding: 'utf8',
    });
    const read = page.stdout.replace(/.\x08/g, '').replace(/\s+/g, ' ');
    const { about = '', options } = await entryOf('send')!.load();
    for (const text of [about, ...Object.values(options).map(({ help }) => help)])
      expect(read).toContain(text.replace(/\s+/g, ' '));
    for (const name of Object.keys(options)) expect(read).toContain(`--${name}`);
  });
});

it('the page of settings has every key, with its default', () => {
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(read('docs/guide/configuration.md')) ?? [];
  expect(parse(yaml)).toEqual(parseConfig('', 'no file'));
});

const below = (folder: string) => readdirSync(join(root, folder)).map((file) => join(folder, file));
const papers = ['.', 'docs', 'docs/guide', 'docs/decisions', 'src/protocol'].flatMap(below);
describe('the links', () => {
  it.each(papers.filter((file) => file.endsWith('.md')))('of %s lead somewhere', (file) => {
    const text = read(file).replace(/```.*?```/gs, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(file, link))).toEqual([]);
  });
});

function leadsSomewhere(from: string, link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string?];
  const file = path === '' ? from : relative(root, join(root, dirname(from), path));
  return existsSync(join(root, file)) && (anchor === undefined || anchorsOf(read(file)).includes(anchor));
}

/** As GitHub makes them from headings. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

it('the map of the architecture has every folder, and every room of the domain', () => {
  const map = read('ARCHITECTURE.md');
  const folders = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true }).flatMap((each) =>
      each.isDirectory() ? each.name : [],
    );
  expect(folders('src').filter((name) => !map.includes(`\`src/${name}\``))).toEqual([]);
  expect(folders('src/domain').filter((name) => !map.includes(`\n| \`${name}\` |`))).toEqual([]);
});

it('the guide lists all of its pages', () => {
  const index = read('docs/guide/README.md');
  const pages = readdirSync(join(root, 'docs/guide')).filter((page) => page !== 'README.md');
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

it('the README is at most 120 lines long', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
});
