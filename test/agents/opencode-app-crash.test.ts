import { startChatServer } from '../model/chat.ts';
import { crashSuite } from './crash-suite.ts';
import { prepareOpencodeHome } from './opencode-home.ts';

crashSuite(
  {
    name: 'opencode-app',
    config: { opencode_app: { command: process.env.SM_TEST_OPENCODE ?? '' } },
    model: startChatServer,
    home: prepareOpencodeHome,
  },
  { always: true },
);
