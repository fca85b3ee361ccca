import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeHub, confIn, type Hub, readHub, welcome, writeHub } from './hub.ts';

let home: string;
const hub: Hub = {
  host: '127.0.0.1',
  port: 4222,
  own: 'hub',
  nodes: { hub: { is: 'node', key: 'UHUB' }, gpu1: { is: 'invited', key: 'UJOIN', until: 100 } },
};

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sm-hub-'));
  writeHub(home, hub);
});
afterEach(() => rmSync(home, { recursive: true }));

describe('whoever was invited', () => {
  it('gets his place by his own key, and the invitation opens nothing more', () => {
    expect(welcome(home, 99, 'gpu1', 'UGPU')).toBeNull();
    expect(readHub(home)?.nodes.gpu1).toEqual({ is: 'node', key: 'UGPU' });
    const conf = readFileSync(confIn(home), 'utf8');
    expect(conf).toContain('UGPU');
    expect(conf).not.toContain('UJOIN');
  });

  it('may ask again with the same key, because the answer may be lost; nobody else gets the place', () => {
    welcome(home, 99, 'gpu1', 'UGPU');
    expect(welcome(home, 99, 'gpu1', 'UGPU')).toBeNull();
    expect(welcome(home, 99, 'gpu1', 'UTHIEF')).toContain('was used');
    expect(readHub(home)?.nodes.gpu1).toEqual({ is: 'node', key: 'UGPU' });
  });

  it('comes too late when the invitation is over', () => {
    expect(welcome(home, 100, 'gpu1', 'UGPU')).toContain('it is over');
    expect(readHub(home)?.nodes).toEqual({ hub: hub.nodes.hub });
  });

  it('cannot take the place of another, nor one that nobody was invited to', () => {
    expect(welcome(home, 1, 'hub', 'UTHIEF')).toContain('was used');
    expect(welcome(home, 1, 'nobody', 'UTHIEF')).toContain('was used');
  });
});

describe('the list of nodes', () => {
  it('can be changed after somebody died while he changed it', () => {
    // No process has this number.
    writeFileSync(join(home, 'fleet/server/lock'), '4194305');
    expect(changeHub(home, 1, (each) => ({ ...each, port: 5 }))?.port).toBe(5);
  });

  it('is as it was when a change fails', () => {
    const fails = () => {
      throw new Error('no');
    };
    expect(() => changeHub(home, 1, fails)).toThrow('no');
    expect(readHub(home)).toEqual(hub);
    expect(changeHub(home, 1, (each) => each)).toEqual(hub);
  });
});
