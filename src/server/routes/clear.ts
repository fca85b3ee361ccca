// Commands of the agent's own: clear, proven before it is answered, and any other that a person wants.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { isNamed } from '../../domain/core/event.ts';
import type { Input } from '../../domain/core/input.ts';
import { quietly } from '../../domain/core/message.ts';
import { invalid } from '../../domain/core/refusal.ts';
import { phaseOf } from '../../domain/core/session.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { aMoment, checkText, newMessage, placeOf, untilTaken } from '../messages.ts';
import { notDone, Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submitUntil, type Tell } from '../submit.ts';
import { describe } from './describe.ts';
import { answerOf, thresholdsIn, waitsFor } from './messages.ts';

export function clearRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { engine, store } = service;

  app.openapi(describe('POST /sessions/{ref}/clear'), async (c) => {
    const body = c.req.valid('json');
    const { session } = find(service, c.req.valid('param').ref);
    const text = body?.prompt ?? null;
    const bad = text === null ? null : checkText(text);
    if (bad) throw new Refused(bad);
    const requester = c.get('requester');
    const notify = { ...quietly, turnEnd: requester !== null };
    const remind = thresholdsIn(service, body ?? {});
    const prompt =
      text === null ? null : await newMessage(service, { text, from: requester, notify, remind });

    const clear: Input = { type: 'clear', by: actorIn(c), prompt };
    const { told: failed } = await submitUntil(service, session.id, clear, isCleared);
    if (failed !== null) throw notDone('clear', session, 'The session was not cleared', failed);
    if (prompt) await untilTaken(service, session.id, prompt.id);
    const message = prompt && (await store.message(prompt.id));
    return c.json(
      {
        status: 'cleared' as const,
        session_id: session.id,
        context: engine.get(session.id)?.session.context.number ?? 0,
        ...(message ? { message: answerOf(service, message, placeOf(engine.get(session.id), message)) } : {}),
      },
      200,
    );
  });

  app.openapi(describe('POST /sessions/{ref}/slash'), async (c) => {
    const { command } = c.req.valid('json');
    const { session } = find(service, c.req.valid('param').ref);
    const commands = service.provider(session.provider)?.capabilities.commands ?? null;
    if (commands && !commands.includes(command)) {
      throw new Refused(
        invalid(`${session.provider} sessions have no terminal, and take only ${commands.join(', ')}.`),
      );
    }
    const id = service.random.hex(8);
    const slash: Input = { type: 'slash', id, command, by: actorIn(c) };
    // A pane that does not allow it is looked at again and again.
    const limit = aMoment<CommandEnd>({ is: 'waiting' });
    const { told: end } = await submitUntil(service, session.id, slash, isTyped(id), limit);
    if (end.is === 'failed') throw notDone('slash', session, 'Command not typed', end.why);
    const phase = phaseOf(engine.get(session.id)?.session ?? session);
    const waits_for = end.is === 'waiting' ? (waitsFor(phase) ?? 'typing') : null;
    return c.json({ status: end.is, session_id: session.id, command_id: id, waits_for }, 200);
  });
}

type CommandEnd = { readonly is: 'typed' | 'waiting' } | { readonly is: 'failed'; readonly why: string };

/** The keys of a command went out, it has failed, or it is plain that it has to wait. */
function isTyped(id: string): Tell<CommandEnd> {
  return (session, events) => {
    for (const body of events) {
      if (isNamed(body, 'command typed') && body.id === id) return { is: 'typed' };
      if (isNamed(body, 'command failed') && body.id === id) return { is: 'failed', why: body.why };
    }
    const waits = session.commands.some((each) => each.id === id && each.is === 'waiting');
    return waits ? { is: 'waiting' } : undefined;
  };
}

/** The clear is proven (null), or has failed (why). The session itself sets the limit. */
const isCleared: Tell<string | null> = (_, events) => {
  for (const body of events) {
    if (isNamed(body, 'clear done')) return null;
    if (isNamed(body, 'clear failed')) return body.why;
  }
  return undefined;
};
