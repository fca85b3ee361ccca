// What the configuration makes of an agent that it names: a kind of its own.
import type { Card } from '../../ports/provider.ts';
import { card } from './card.ts';
import { knownAs } from './known.ts';

/** What the configuration says of one. */
interface Configured {
  readonly command: string;
  /** The agent whose ways it has; null: that of the same name as its program, if that is known. */
  readonly like: string | null;
}

/** The kind that the configuration makes of it. */
export function configuredCard(name: string, said: Configured): Card {
  const like = said.like ?? said.command.replace(/^.*\//, '');
  const { title, tested, compact, modes, accountVariable, capabilities } = knownAs(like);
  const { clear } = card.commandTo;
  const commands = compact === null ? [clear] : [clear, compact];
  return {
    ...card,
    name,
    configured: { folder: card.name, section: `agents.${name}`, like },
    title: `${title} by the Agent Client Protocol`,
    command: said.command,
    tested,
    capabilities: { ...card.capabilities, ...capabilities, commands },
    commandTo: { clear, compact: compact ?? '' },
    options: { ...card.options, permissionModes: Object.keys(modes), accountVariable },
  };
}
