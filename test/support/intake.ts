// For tests: the way in for facts, to an engine in virtual time.
import { createIntake } from '../../src/intake/intake.ts';
import type { Spool } from '../../src/intake/spool.ts';
import { silentLog } from '../../src/ports/log.ts';
import type { Provider } from '../../src/ports/provider.ts';
import type { TestEngine } from './engine.ts';

export const testIntake = (engine: TestEngine, spool: Spool, provider: Provider) =>
  createIntake({
    engine,
    spool,
    conversations: { find: async () => undefined, await() {}, close() {} },
    provider: () => provider,
    placeCall: async () => Promise.reject(new Error('nothing is asked here')),
    readTranscript: async () => undefined,
    clock: engine.clock,
    log: silentLog,
  });
