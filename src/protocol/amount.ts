// How a budget is written: `5usd` or `$5` is money; `500k`, `2M` and `20000tokens` are tokens.

export interface Amount {
  readonly usd: number | null;
  readonly tokens: number | null;
}

export const howAmountsAreWritten = 'such as 5usd (money) or 500k, 2M (tokens)';

const factors: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 };

/** Null: it is none. */
export function amountIn(words: readonly string[]): Amount | null {
  let amount: Amount = { usd: null, tokens: null };
  for (const word of words) {
    const one = oneAmount(word);
    const isTwice = one && (one.usd === null ? amount.tokens !== null : amount.usd !== null);
    if (!one || isTwice) return null;
    amount = { usd: one.usd ?? amount.usd, tokens: one.tokens ?? amount.tokens };
  }
  return words.length > 0 ? amount : null;
}

function oneAmount(word: string): Amount | null {
  const money = /^(?:\$(\d{1,9}(?:\.\d{1,4})?)|(\d{1,9}(?:\.\d{1,4})?)(?:usd|\$))$/i.exec(word);
  if (money) return above({ usd: Number(money[1] ?? money[2]), tokens: null });
  const [, count = '', unit = '', called] =
    /^(\d{1,12}(?:\.\d{1,6})?)([km]?)(tokens|tok)?$/i.exec(word) ?? [];
  // A number alone could be either.
  if (count === '' || (unit === '' && called === undefined)) return null;
  return above({
    usd: null,
    tokens: Math.round(Number(count) * (factors[unit.toLowerCase()] ?? 1)),
  });
}

const above = (amount: Amount): Amount | null => ((amount.usd ?? amount.tokens ?? 0) > 0 ? amount : null);
