import { startChatServer } from '../model/chat.ts';
import { crashSuite } from './crash-suite.ts';
import { prepareQwenHome } from './qwen-home.ts';

crashSuite(
  {
    name: 'qwen',
    config: { qwen: { command: process.env.SM_TEST_QWEN ?? '' } },
    model: startChatServer,
    home: prepareQwenHome,
  },
  { always: true },
);
