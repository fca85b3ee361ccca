// What the picture of messages is drawn from.
import type { EventView } from '../../protocol/event.ts';

export const isOfFlow = ({ type }: EventView): boolean => type === 'message' || type === 'notice-posted';
