// The state as it is now. The page is drawn at most once per frame, and not at all while nobody looks.
import { first, type Happening, type State, update } from './state.ts';

export interface Store {
  readonly state: State;
  tell(happening: Happening): void;
}

export function createStore(draw: (state: State) => void): Store {
  let state = first;
  let isAsked = false;
  return {
    get state() {
      return state;
    },
    tell(happening) {
      const next = update(state, happening);
      if (next === state) return;
      state = next;
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        draw(state);
      });
    },
  };
}
