// Whoever sees less can read all of it: 4.5 to 1 for every text on every ground that it stands on, in light and in dark.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8');
const tokensIn = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name!, colour!]));
const [, light = ''] = /:root \{([\s\S]*?)\n\}/.exec(css) ?? [];
const [, dark = ''] = /prefers-color-scheme: dark\) \{\s*:root \{([\s\S]*?)\n {2}\}/.exec(css) ?? [];
const [, pane = ''] = /\n\.pane \{([\s\S]*?)\n\}/.exec(css) ?? [];

const themes = {
  light: tokensIn(light),
  dark: new Map([...tokensIn(light), ...tokensIn(dark)]),
};
const pairs: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ['text', ['ground', 'raised', 'wait-ground', 'added', 'removed']],
  ['soft', ['ground', 'raised', 'wait-ground']],
  ['good', ['ground', 'raised']],
  ['wait', ['ground', 'raised', 'wait-ground']],
  ['bad', ['ground', 'raised', 'wait-ground']],
  ['link', ['ground', 'raised', 'wait-ground']],
  // On the button that does it.
  ['ground', ['good']],
];

function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [brightness(one), brightness(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe.each(Object.entries(themes))('in %s', (_, theme) => {
  it.each(pairs.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const)))(
    '%s can be read on %s',
    (text, ground) => {
      const [one, other] = [theme.get(text), theme.get(ground)];
      expect(one && other, `${text} and ${ground} are colours`).toBeTruthy();
      expect(contrast(one ?? '', other ?? '')).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('what a terminal shows can be read on its ground', () => {
    const colours = tokensIn(pane);
    expect(contrast(colours.get('pane-text') ?? '', theme.get('pane') ?? '')).toBeGreaterThanOrEqual(4.5);
    expect([...colours.keys()].filter((name) => /^term-(?!0$|8$)/.test(name))).toHaveLength(14);
    for (const [name, colour] of colours)
      if (/^term-(?!0$|8$)/.test(name))
        expect(contrast(colour, theme.get('pane') ?? ''), name).toBeGreaterThanOrEqual(4.5);
  });
});

it('knows what contrast is', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
