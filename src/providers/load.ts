// The code behind the cards.
import type { Card, Provide, Provider, Setup } from '../ports/provider.ts';

/** Both the bundler and the tests follow a path of this form: it takes the code of every folder along. */
export async function loadProvider({ name }: Card, setup: Setup): Promise<Provider> {
  const { provide } = (await import(`./${name}/provider.ts`)) as { provide: Provide };
  return provide(setup);
}
