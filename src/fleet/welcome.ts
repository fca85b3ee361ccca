// At the hub: whoever comes with an invitation is given a place, once.
import { z } from '@hono/zod-openapi';
import { joinSubject } from '../hub/permissions.ts';
import type { Log } from '../ports/log.ts';
import type { Line } from './link.ts';
import { parsed } from './presence.ts';

const asked = z.object({ key: z.string().regex(/^U[A-Z2-7]{55}$/) });

export interface Hub {
  /** Gives the place to that key; null: done, else why not. */
  welcome(node: string, key: string): string | null;
  /** Lets the server know who belongs to the fleet now. */
  reload(): void;
}

export function createWelcome(hub: Hub, log: Log) {
  return {
    begin({ nats, cut }: Line): void {
      const joins = nats.subscribe(joinSubject('*'), {
        callback: (error, message) => {
          if (error) return;
          // The server lets nobody ask for another name than he was invited as.
          const node = message.subject.slice(joinSubject('').length);
          const said = asked.safeParse(parsed(message.string()));
          const why = said.success ? hub.welcome(node, said.data.key) : 'the hub does not understand it';
          log.info({ node, why }, 'a machine asks to join');
          message.respond(JSON.stringify({ why }));
          // The connection that asked ends with the invitation: it must hear first.
          void nats.flush().then(() => hub.reload());
        },
      });
      cut.addEventListener('abort', () => joins.unsubscribe());
    },
  };
}
