import { startResponsesServer } from '../model/responses.ts';
import { prepareCodexHome } from './codex-home.ts';
import { crashSuite } from './crash-suite.ts';

crashSuite(
  {
    name: 'codex',
    config: { codex: { command: process.env.SM_TEST_CODEX ?? '' } },
    model: startResponsesServer,
    home: prepareCodexHome,
  },
  { always: true },
);
