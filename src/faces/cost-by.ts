// What sums of the cost can be made by.
import type { CostView } from '../protocol/cost.ts';

export const costBy = ['session', 'context', 'family', 'day'] as const satisfies readonly CostView['by'][];
