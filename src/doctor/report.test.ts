import { integer, property, assert as propertyHolds, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abilityRows } from '../providers/abilities.ts';
import { installing, ok, quoted, warn } from './check.ts';
import { abilityLines, reportLines, wrap } from './report.ts';

const home = '/home/ann';

describe('the report', () => {
  it('says what was found, what it means, and the command on a line of its own', () => {
    const findings = [
      ok('state', `${home}/.local/state/sm`),
      warn('curl', 'not found', { advice: 'Everything works without it.', repair: 'brew install curl' }),
    ];
    expect(reportLines(findings, home)).toEqual([
      'ok   state          ~/.local/state/sm',
      'warn curl           not found',
      '                    Everything works without it.',
      '     → brew install curl',
    ]);
  });

  it('cuts a command that is too long where a shell can read it on', () => {
    const repair = `tmux -S ${'/a'.repeat(25)}/tmux.sock kill-session -t '=sm-stray-with-a-name:'`;
    const lines = reportLines([warn('terminal', 'strays', { repair })], home).slice(1);
    expect(lines.map((line) => line.length <= 80)).toEqual([true, true]);
    expect(lines.join('\n').replace('→', '').replace(/\\\n/g, '').split(/\s+/).join(' ').trim()).toBe(repair);
  });

  it('has no line over 80 columns, whatever was found', () => {
    propertyHolds(
      property(string(), string(), string(), (found, advice, repair) => {
        for (const line of reportLines([warn('configuration', found, { advice, repair })], undefined))
          expect(line.length).toBeLessThanOrEqual(80);
      }),
    );
    for (const line of abilityLines(abilityRows())) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('loses nothing but spaces when it wraps', () => {
    const bare = (text: string) => text.replace(/\s/g, '');
    propertyHolds(
      property(string(), integer({ min: 1, max: 100 }), (text, columns) => {
        expect(bare(wrap(text, columns).join(''))).toBe(bare(text));
      }),
    );
  });
});

it('a path with a space is one word to a shell', () => {
  expect([quoted('/tmp/a.b'), quoted("/tmp/it's mine")]).toEqual(['/tmp/a.b', `'/tmp/it'\\''s mine'`]);
});

it('a package is installed by the manager of this machine, or by the most common one', () => {
  expect(installing('tmux', '/nowhere')).toBe('sudo apt-get install -y tmux');
});
