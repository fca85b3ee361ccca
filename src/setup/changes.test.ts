import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { asyncProperty, assert as holds, string } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolvePaths } from '../daemon/paths.ts';
import { partNames } from '../ledger/ledger.ts';
import { apply, type Change, stateAt } from './changes.ts';
import { openPlace, type Place } from './place.ts';
import { takeBack } from './undo.ts';

let home: string;
let place: Place;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sm-setup-'));
  const env = { HOME: home, SM_HOME: join(home, 'state'), PATH: process.env.PATH };
  place = openPlace(resolvePaths(env, '/nowhere/dist'), '1.2.3', env);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const file = (...names: string[]) => join(home, ...names);
const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const doIt = (change: Change) => apply(place, 'completion', change);
async function undoIt(): Promise<string[]> {
  const said: string[] = [];
  await takeBack(place, partNames, (line) => said.push(line));
  return said;
}
/** Everything below the home directory. */
const tree = () =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('state'))
    .sort();

describe('a file of ours', () => {
  it('goes again, with the folders that were made for it', async () => {
    expect(await doIt({ do: 'write', path: file('a', 'b', 'c'), text: 'x' })).toBe('Wrote ~/a/b/c');
    expect(readFileSync(file('a', 'b', 'c'), 'utf8')).toBe('x');
    expect(await undoIt()).toEqual(['Removed ~/a/b/c']);
    expect(tree()).toEqual([]);
    expect(existsSync(place.paths.ledger)).toBe(false);
  });

  it('is written anew, and then still known as ours', async () => {
    await doIt({ do: 'write', path: file('a', 'b'), text: 'old' });
    await doIt({ do: 'write', path: file('a', 'b'), text: 'new' });
    expect(stateAt(place, file('a', 'b'))).toEqual({ text: 'new', ours: true });
    await undoIt();
    expect(tree()).toEqual([]);
  });

  it('that somebody has changed since is kept, and told', async () => {
    await doIt({ do: 'write', path: file('a'), text: 'x' });
    writeFileSync(file('a'), 'mine');
    expect(await undoIt()).toEqual(['Kept ~/a: it was changed since']);
    expect(readFileSync(file('a'), 'utf8')).toBe('mine');
  });

  it('in the place of another one keeps a copy, which is put back', async () => {
    put(file('config.yaml'), 'mine');
    chmodSync(file('config.yaml'), 0o600);
    const copy = file('config.yaml.before');
    await doIt({ do: 'write', path: file('config.yaml'), text: 'ours', copy });
    expect([readFileSync(copy, 'utf8'), readFileSync(file('config.yaml'), 'utf8')]).toEqual(['mine', 'ours']);
    await doIt({ do: 'write', path: file('config.yaml'), text: 'newer' });
    expect(await undoIt()).toEqual(['Put back ~/config.yaml as it was']);
    expect(tree()).toEqual(['config.yaml']);
    expect([readFileSync(file('config.yaml'), 'utf8'), statSync(file('config.yaml')).mode & 0o777]).toEqual([
      'mine',
      0o600,
    ]);
  });

  it('leaves folders that others use by now', async () => {
    await doIt({ do: 'write', path: file('a', 'b'), text: 'x' });
    put(file('a', 'other'), '');
    await undoIt();
    expect(tree()).toEqual(['a', 'a/other']);
  });
});

describe("lines in a file of the user's", () => {
  it('leave every byte as it was when they go', async () => {
    await holds(
      asyncProperty(string(), async (before) => {
        const path = file('.zshrc');
        writeFileSync(path, before);
        await doIt({ do: 'add', path, text: '\n# sm\n. it\n' });
        expect(readFileSync(path, 'utf8')).toMatch(/(^|\n)# sm\n\. it\n$/);
        await undoIt();
        expect(readFileSync(path, 'utf8')).toBe(before);
      }),
      { numRuns: 40 },
    );
  });

  it('go alone, when others have come since, and through a link', async () => {
    put(file('dotfiles', 'zshrc'), 'one');
    symlinkSync(file('dotfiles', 'zshrc'), file('.zshrc'));
    await doIt({ do: 'add', path: file('.zshrc'), text: '\n# sm\n' });
    writeFileSync(file('dotfiles', 'zshrc'), `zero\n${readFileSync(file('.zshrc'), 'utf8')}two\n`);
    expect(await undoIt()).toEqual(['Removed 1 line from ~/.zshrc']);
    expect(readFileSync(file('dotfiles', 'zshrc'), 'utf8')).toBe('zero\nonetwo\n');
    expect(lstatSync(file('.zshrc')).isSymbolicLink()).toBe(true);
  });

  it('take a file along that was made for them, and leave one that was empty', async () => {
    put(file('.bashrc'), '');
    await doIt({ do: 'add', path: file('.bashrc'), text: '# sm\n' });
    await doIt({ do: 'add', path: file('.zshrc'), text: '# sm\n' });
    await undoIt();
    expect(tree()).toEqual(['.bashrc']);
  });
});

describe('what was cut off', () => {
  it('before a file was written is known, and taking it back does nothing', async () => {
    put(file('taken'), '');
    await expect(doIt({ do: 'write', path: file('taken', 'below'), text: 'x' })).rejects.toThrow(/taken/);
    await expect(doIt({ do: 'run', command: ['false'], undo: ['true'] })).rejects.toThrow(
      'false failed: exit code 1',
    );
    expect(place.entries()).toHaveLength(2);
    expect(await undoIt()).toEqual(['Ran true']);
    expect(tree()).toEqual(['taken']);
  });

  it('while it was taken back goes on with the rest', async () => {
    await doIt({ do: 'write', path: file('a'), text: 'x' });
    await doIt({ do: 'write', path: file('b'), text: 'x' });
    rmSync(file('b'));
    expect(await undoIt()).toEqual(['Removed ~/a']);
    expect(await undoIt()).toEqual([]);
  });
});

it('commands are taken back in the opposite order, and one that fails keeps nothing else', async () => {
  await doIt({ do: 'undo', undo: ['sh', '-c', `echo last >>${file('log')}`] });
  await doIt({ do: 'run', command: ['true'], undo: ['sh', '-c', `echo first >>${file('log')}`] });
  await doIt({ do: 'run', command: ['true'], undo: ['false'] });
  expect((await undoIt())[0]).toMatch(/^false failed, and is left at that/);
  expect(readFileSync(file('log'), 'utf8')).toBe('first\nlast\n');
});

it('only the parts that are named are taken back', async () => {
  await apply(place, 'skill', { do: 'write', path: file('skill'), text: 'x' });
  await apply(place, 'completion', { do: 'write', path: file('completion'), text: 'x' });
  await takeBack(place, ['skill'], () => {});
  expect(tree()).toEqual(['completion']);
});
