// opencode without a terminal: only its server.
import type { Provide } from '../../ports/provider.ts';
import { opencodeProvider } from '../opencode/provider.ts';
import { card } from './card.ts';

export const provide: Provide = (setup) => opencodeProvider(card, setup);
