// What somebody has pinned, folded and snoozed, kept by this browser for all its windows.
import { choicesFrom, choicesText } from '../faces/choices.ts';
import type { Store } from './store.ts';

const place = 'sm-choices';

export function keepChoices({ tell, listen }: Store): void {
  const read = () => {
    const { filter: _, problemsOnly: __, ...kept } = choicesFrom(localStorage.getItem(place) ?? '');
    tell({ is: 'choose', change: kept });
  };
  read();
  listen(({ choices }, before) => {
    const text = choicesText(choices);
    if (choices !== before.choices && text !== choicesText(before.choices)) localStorage.setItem(place, text);
  });
  // Another window of this browser has chosen.
  window.addEventListener('storage', ({ key }) => key === place && read());
}
