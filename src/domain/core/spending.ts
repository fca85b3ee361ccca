// What an agent has used up, by its own account: tokens, and money where it tells or where the configuration has a price.

/** `input`: what was read anew; what came from a cache, or went into it, is counted for itself. */
export interface Tokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** In USD, for a million tokens. */
export type Price = Tokens;

/** All that a session has ever used up. */
export interface Spending {
  readonly models: readonly { readonly model: string; readonly tokens: Tokens }[];
  /** In USD, where the agent tells it; null: it never did. */
  readonly costUsd: number | null;
  /** The last that the agent told of each meter, the newest last: only what has been added since is new. */
  readonly meters: readonly Meter[];
  /** What the agent last told of its cost, and when. `of`: each process, and each conversation, counts from nothing. */
  readonly told: { readonly of: string; readonly costUsd: number; readonly at: number } | null;
}

/** Something that an agent counts tokens of, and that only grows: one message, or a whole conversation. */
export interface Meter {
  readonly of: string;
  readonly tokens: Tokens;
}

/** What one decision adds to the books, under the quarter of an hour in which it was heard. */
export interface Spent {
  readonly sessionId: string;
  readonly context: number;
  readonly at: number;
  /** Empty: what the agent tells of money has no model. */
  readonly model: string;
  readonly tokens: Tokens;
  /** Null: nothing was told of money. */
  readonly costUsd: number | null;
}

export const noTokens: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

export const nothingSpent: Spending = { models: [], costUsd: null, meters: [], told: null };

/** Time zones differ by quarters of an hour: of such pieces the days of every one can be made. */
export const quarter = 15 * 60_000;

const kinds = ['input', 'cacheRead', 'cacheWrite', 'output'] as const;

const each = (count: (kind: (typeof kinds)[number]) => number): Tokens => ({
  input: count('input'),
  cacheRead: count('cacheRead'),
  cacheWrite: count('cacheWrite'),
  output: count('output'),
});

export const plus = (a: Tokens, b: Tokens): Tokens => each((kind) => a[kind] + b[kind]);
/** What `a` has and `b` has not. */
export const beyond = (a: Tokens, b: Tokens): Tokens => each((kind) => Math.max(0, a[kind] - b[kind]));
export const atLeast = (a: Tokens, b: Tokens): Tokens => each((kind) => Math.max(a[kind], b[kind]));
export const totalOf = (tokens: Tokens): number => kinds.reduce((sum, kind) => sum + tokens[kind], 0);

export type Prices = (model: string) => Price | null;

/** Null: some of it has no price, so that nobody knows. */
export function costOf(
  { models, costUsd }: Pick<Spending, 'models' | 'costUsd'>,
  prices: Prices,
): number | null {
  if (costUsd !== null) return costUsd;
  let sum = 0;
  for (const { model, tokens } of models) {
    const price = prices(model);
    if (!price && totalOf(tokens) > 0) return null;
    if (price) sum += priced(tokens, price);
  }
  return sum;
}

export const priced = (tokens: Tokens, price: Price): number =>
  kinds.reduce((sum, kind) => sum + (tokens[kind] * price[kind]) / 1_000_000, 0);
