// What to do next, where several commands say so.
import { standard } from '../../providers/cards.ts';

export const startOne = `Start one with: sm ${standard.name}`;
