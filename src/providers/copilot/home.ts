// Where Copilot keeps the things of its user.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../ports/provider.ts';

/** A folder for each conversation, named by its id. */
export const conversationsFolder = (env: Environment): string =>
  join(env.COPILOT_HOME || join(env.HOME || homedir(), '.copilot'), 'session-state');

/** What is said in a conversation, in its folder. */
export const eventsFile = 'events.jsonl';
