import { expect, it } from 'vitest';
import { begin } from './state.ts';
import { update } from './update.ts';
import { view } from './view.ts';

it('the first line says which channel has stopped working, until it works again', () => {
  let state = begin({ size: { rows: 24, columns: 80 }, depth: '256', providers: [] });
  const happens = (happening: Parameters<typeof update>[1]) => {
    state = update(state, happening, 0).state;
  };
  const shown = () => view(state, 0).difference(null);
  happens({ kind: 'link', up: true });
  expect(shown()).not.toContain('sm notify');
  happens({ kind: 'channels', text: 'team cannot tell you anything' });
  expect(shown()).toContain('team cannot tell you anything: sm notify');
  const before = state;
  happens({ kind: 'channels', text: 'team cannot tell you anything' });
  expect(state).toBe(before);
  happens({ kind: 'channels', text: null });
  expect(shown()).not.toContain('sm notify');
});
