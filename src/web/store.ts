// The state as it is now. The page is drawn at most once per frame, and not at all while nobody looks.
import { first, type Happening, type State, update } from './state.ts';

export interface Store {
  readonly state: State;
  tell(happening: Happening): void;
  /** Hears of every change, at once. */
  listen(to: (state: State, before: State) => void): void;
}

export function createStore(draw: (state: State) => void): Store {
  let state = first;
  let isAsked = false;
  const listeners: ((state: State, before: State) => void)[] = [];
  return {
    listen: (to) => void listeners.push(to),
    get state() {
      return state;
    },
    tell(happening) {
      const next = update(state, happening);
      if (next === state) return;
      const before = state;
      state = next;
      for (const each of listeners) each(state, before);
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        draw(state);
      });
    },
  };
}
