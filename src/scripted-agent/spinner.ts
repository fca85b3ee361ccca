// The line above the box while something runs. Its timer exists only as long as it turns.

import type { Agent } from './agent.ts';

const FRAME_MS = 300;
const VERBS = ['Calculating', 'Galloping', 'Brewing', 'Pondering', 'Crunching'];

export function createSpinner(agent: Agent): { spin(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let turns = 0;
  return {
    spin() {
      clearInterval(timer);
      agent.view.spinner = { verb: VERBS[turns++ % VERBS.length]!, since: Date.now(), frame: 0 };
      timer = setInterval(() => {
        if (agent.view.spinner) agent.view.spinner.frame += 1;
        agent.refresh();
      }, FRAME_MS);
      agent.refresh();
    },
    stop() {
      clearInterval(timer);
      agent.view.spinner = null;
      agent.refresh();
    },
  };
}
