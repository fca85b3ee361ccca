import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { installedHooks } from '../providers/claude/installed.ts';
import { entriesIn, type Wanted, withEntries, withoutEntries } from './entries.ts';

const wantedAt = (directory: string): Wanted => ({ directory, hooks: installedHooks(directory, 60) });
const wanted = wantedAt("/it's/hooks");

/** Settings such as people have them. */
const hook = fc.record({ type: fc.constant('command'), command: fc.string() });
const group = fc.record({ matcher: fc.string(), hooks: fc.array(hook) }, { requiredKeys: ['hooks'] });
const settings = fc.record(
  {
    model: fc.string(),
    hooks: fc.dictionary(
      fc.constantFrom('Stop', 'SessionStart', 'PreToolUse', 'Notification'),
      fc.array(group),
    ),
    permissions: fc.jsonValue(),
    statusLine: fc.record(
      { type: fc.constant('command'), command: fc.string(), padding: fc.nat(4) },
      { requiredKeys: ['type', 'command'] },
    ),
  },
  { requiredKeys: [] },
);
const indent = fc.constantFrom('', '  ', '    ', '\t');

describe('our entries in settings', () => {
  it('are all there after they were put in, and all gone after they were taken out', () => {
    fc.assert(
      fc.property(settings, indent, (value, unit) => {
        const before = JSON.stringify(value, null, unit);
        const after = withEntries(before, wanted);
        const { hooks, statusLine } = entriesIn(after, wanted);
        expect(new Set([...hooks.values(), statusLine])).toEqual(new Set(['current']));
        const without = withoutEntries(after, before);
        expect(JSON.parse(without)).toEqual(JSON.parse(before));
        expect(Object.keys(JSON.parse(without))).toEqual(Object.keys(JSON.parse(before)));
      }),
    );
  });

  it('leave every other byte as it is', () => {
    const before =
      '{\r\n\t"permissions": {"allow": ["Read",  "Bash(ls:*)"]},\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{ "hooks": [] }\r\n\t\t]\r\n\t}\r\n}';
    const after = withEntries(before, wanted);
    expect(after).toContain('"allow": ["Read",  "Bash(ls:*)"]');
    expect(after).toMatch(/\r\n\t\t\t\{ "hooks": \[\] \},\r\n\t\t\t\{\r\n\t\t\t\t"hooks": \[/);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(withoutEntries(after, before)).toBe(before);
  });

  it('are known again when the user has moved and changed what is around them', () => {
    const after = withEntries('{\n  "hooks": {}\n}\n', wanted);
    const changed = JSON.parse(after);
    changed.hooks.Stop.unshift({ hooks: [{ type: 'command', command: 'mine' }] });
    changed.hooks.Stop[1].hooks.push({ type: 'command', command: 'mine too' });
    changed.hooks.Notification = [{ hooks: [] }];
    changed.statusLine.padding = 3;
    changed.theme = 'dark';
    const without = JSON.parse(withoutEntries(JSON.stringify(changed), '{ "hooks": {} }'));
    expect(without).toEqual({
      hooks: {
        Stop: [
          { hooks: [{ type: 'command', command: 'mine' }] },
          { hooks: [{ type: 'command', command: 'mine too' }] },
        ],
        Notification: [{ hooks: [] }],
      },
      theme: 'dark',
    });
  });

  it('are stale with another path or time, twice, and where nobody wants them any more', () => {
    const text = withEntries('{}', wanted);
    const elsewhere = entriesIn(text, wantedAt('/other'));
    expect(new Set([...elsewhere.hooks.values(), elsewhere.statusLine])).toEqual(new Set(['stale']));

    const value = JSON.parse(text);
    value.hooks.Stop.push(value.hooks.Stop[0]);
    value.hooks.SessionEnd[0].hooks[0].timeout = 1;
    value.hooks.Notification = value.hooks.SessionStart;
    delete value.hooks.PreCompact;
    expect(Object.fromEntries(entriesIn(JSON.stringify(value), wanted).hooks)).toMatchObject({
      Stop: 'stale',
      SessionEnd: 'stale',
      Notification: 'stale',
      PreCompact: 'missing',
      SessionStart: 'current',
    });
  });

  it.each([
    ['[]', 'the settings are not an object'],
    ['{"hooks": []}', '"hooks" is not an object'],
    ['{"hooks": {"Stop": {}}}', '"hooks.Stop" is not a list'],
    ['{"statusLine": "date"}', '"statusLine" has no command'],
    ['{"statusLine": {"type": "command"}}', '"statusLine" has no command'],
  ])('are not put into %s', (text, fault) => {
    expect(() => entriesIn(text, wanted)).toThrow(fault);
  });

  it('say when all hooks are turned off', () => {
    expect(entriesIn('{"disableAllHooks": true}', wanted).disabled).toBe(true);
    expect(entriesIn('{}', wanted).disabled).toBe(false);
  });
});
