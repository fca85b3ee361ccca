// Whether the channels of notifications have what they need, and how each did the last time.
import { existsSync } from 'node:fs';
import { secretsOf } from '../daemon/notify-config.ts';
import { readSecret, type SecretPlace } from '../notify/secret.ts';
import { notifyChannel } from '../ports/notifications.ts';
import { lastSentIn } from '../store/sqlite/tellings.ts';
import { type Finding, ok, warn } from './check.ts';
import type { Machine } from './machine.ts';
import { ask } from './state.ts';

type Channels = NonNullable<Machine['config']>['notify']['channels'];

export async function checkNotify({
  config,
  paths,
  health,
}: Pick<Machine, 'config' | 'paths' | 'health'>): Promise<Finding | null> {
  const channels = Object.entries(config?.notify.channels ?? {});
  if (channels.length === 0) return null;
  const known = health ? await problemsOf(paths.socket) : new Map<string, string | null>();
  const faults = channels.flatMap(([name, channel]) => {
    const why = missing(channel) ?? known.get(name) ?? failure(paths.database, name);
    return why === null ? [] : [{ name, text: `${name}: ${why}` }];
  });
  if (faults.length === 0) return ok('notify', channels.map(([name]) => name).join(', '));
  return warn('notify', faults.map(({ text }) => text).join('\n'), {
    advice: 'You are not told through it until that is put right.',
    repair: `sm notify test ${faults[0]?.name}`,
  });
}

/** As the daemon sees them, which also knows what it cannot read. */
async function problemsOf(socketPath: string): Promise<Map<string, string | null>> {
  const answer = await ask<{ readonly channels?: readonly { name: string; problem: string | null }[] }>(
    { socketPath },
    '/notifications/channels',
  );
  return new Map(answer?.channels?.map(({ name, problem }) => [name, problem]));
}

/** A variable is the daemon's alone: the last notification says what became of it. */
function missing(channel: Channels[string]): string | null {
  const faults = secretsOf(channel).map((place) => ('file' in place ? faultOf(place) : null));
  return faults.find((why) => why !== null) ?? null;
}

function faultOf(place: SecretPlace): string | null {
  try {
    readSecret(place, {});
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function failure(database: string, name: string): string | null {
  try {
    const state = existsSync(database) ? lastSentIn(database, notifyChannel(name))?.state : undefined;
    return state && 'why' in state
      ? `the last notification ${state.is === 'no-device' ? 'had no device' : 'failed'}: ${state.why}`
      : null;
  } catch {
    // What is wrong with the database is said by its own check.
    return null;
  }
}
