// What the papers say of commands, settings and each other is true.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
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

it('the guide lists all of its pages', () => {
  const index = read('docs/guide/README.md');
  const pages = readdirSync(join(root, 'docs/guide')).filter((page) => page !== 'README.md');
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

it('the README is at most 120 lines long', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
});
