// The code behind the cards.
import type { Card, Provide, Provider, Setup } from '../ports/provider.ts';

/** Both the bundler and the tests follow a path of this form: it takes the code of every folder along. */
export async function loadProvider(card: Card, setup: Setup): Promise<Provider> {
  const folder = card.configured?.folder ?? card.name;
  const { provide } = (await import(`./${folder}/provider.ts`)) as { provide: Provide };
  return provide(setup, card);
}
