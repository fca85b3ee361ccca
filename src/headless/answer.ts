// An answer on its way to an agent that has asked by its protocol.
import type { AnswerEffect, Driver } from '../ports/driver.ts';
import type { RequestId } from './connection.ts';
import type { Live } from './live.ts';
import type { Reader } from './reader.ts';

interface Asks<Asked> extends Reader {
  readonly questions: ReadonlyMap<RequestId, Asked>;
}

/** `respond`: whether the answer could be given to the request that waits for it. */
export async function handAnswer<Asked>(
  live: Live<Asks<Asked>> | undefined,
  { fact }: AnswerEffect,
  respond: (request: RequestId, asked: Asked) => Promise<boolean>,
): ReturnType<Driver['answer']> {
  if (!live) return 'nobody';
  const request = live.asked(fact);
  const asked = request === undefined ? undefined : live.reader.questions.get(request);
  if (request !== undefined && asked !== undefined && (await respond(request, asked))) return 'taken';
  return live.reader.questions.size > 0 ? 'later' : 'nobody';
}
