// The user's programs for occasions, under `on:` in the configuration.
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { occasions } from '../domain/core/occasion.ts';
import type { Trigger } from '../ports/triggers.ts';

/** One, or several. No union, whose faults would not be named. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(item).min(1));

const text = z.string().regex(/^[^\0]*$/, 'has a NUL character');

const trigger = z
  .strictObject({
    /** What it is called; null: as its program is. */
    name: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'may have letters, digits, ".", "-" and "_"')
      .nullable()
      .default(null),
    when: listOf(z.enum(occasions)),
    sessions: z.string().min(1).nullable().default(null),
    run: listOf(text),
    timeout_seconds: z.int().min(1).max(600).default(30),
  })
  .superRefine(({ run }, context) => {
    const [program = ''] = run;
    if (/^(\/|~\/)/.test(program) || /^[^/\s]+$/.test(program)) return;
    const message = 'must begin with the name of a program, its absolute path, or ~/';
    context.addIssue({ code: 'custom', path: ['run'], message });
  })
  .transform(
    ({ name, when, sessions, run: [program = '', ...args], timeout_seconds: seconds }): Trigger => ({
      name: name ?? basename(program),
      when,
      sessions,
      run: [program.startsWith('~/') ? join(homedir(), program.slice(2)) : program, ...args],
      seconds,
    }),
  );

export const triggers = z
  .array(trigger)
  .superRefine((all, context) => {
    for (const [index, { name }] of all.entries())
      if (all.findIndex((each) => each.name === name) < index)
        context.addIssue({
          code: 'custom',
          path: [index],
          message: `another one is called ${name}; give this one a "name"`,
        });
  })
  .default([]);
