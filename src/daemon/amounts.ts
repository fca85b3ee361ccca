// A budget in the configuration: `5usd`, `2M`, or both with a blank between.
import { z } from 'zod';
import { type Amount, amountIn, howAmountsAreWritten } from '../protocol/amount.ts';

export const amount = z
  .string()
  .transform((text, context): Amount => {
    const read = amountIn(text.trim().split(/\s+/));
    if (read) return read;
    context.addIssue({ code: 'custom', message: `must be an amount, ${howAmountsAreWritten}` });
    return z.NEVER;
  })
  .nullable()
  .default(null);
