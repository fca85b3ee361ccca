// What waits for the running turn, with the transcript lines that tell of every coming and going.

import { type Agent, say } from './agent.ts';

export interface Work {
  kind: 'prompt' | 'command' | 'shell' | 'notification';
  text: string;
  /** The hooks have heard of it. */
  told?: boolean;
}

export interface Queue {
  readonly isEmpty: boolean;
  add(work: Work): void;
  /** Takes what may run next: prompts that wait in a row go together, everything else goes alone. */
  takeBatch(): Work[];
  /** Takes back what a human typed, to be edited. */
  popAll(): string[];
  /** Lets the running turn read the prompts beside a tool's result, which `writeResult` writes. */
  absorb(writeResult: () => void): string[];
}

export function createQueue(agent: Agent): Queue {
  let waiting: Work[] = [];

  // The session is looked up each time: `/clear` replaces it.
  const note = (operation: string, fields: Record<string, unknown> = {}) =>
    agent.session.transcript.note({ type: 'queue-operation', operation, ...fields });

  function set(works: Work[]): void {
    waiting = works;
    agent.view.queued = works.map((work) => work.text);
    agent.refresh();
  }

  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    add(work) {
      note('enqueue', { content: work.text });
      set([...waiting, work]);
    },
    takeBatch() {
      const prompts = waiting.findIndex((work) => work.kind !== 'prompt');
      const size = prompts < 0 ? waiting.length : Math.max(1, prompts);
      const batch = waiting.slice(0, size);
      for (const _ of batch) note('dequeue');
      set(waiting.slice(size));
      return batch;
    },
    popAll() {
      const typed = waiting.filter((work) => work.kind !== 'notification').map((work) => work.text);
      for (const content of typed) note('popAll', { content });
      set(waiting.filter((work) => work.kind === 'notification'));
      return typed;
    },
    absorb(writeResult) {
      const prompts = waiting.filter((work) => work.kind === 'prompt').map((work) => work.text);
      for (const content of prompts) note('remove', { content, reason: 'absorbed_mid_turn' });
      writeResult();
      for (const prompt of prompts) {
        const attachment = {
          type: 'queued_command',
          prompt,
          commandMode: 'prompt',
          origin: { kind: 'human' },
        };
        agent.session.transcript.add({ type: 'attachment', attachment });
        say(agent, 'prompt', prompt);
      }
      set(waiting.filter((work) => work.kind !== 'prompt'));
      return prompts;
    },
  };
}
