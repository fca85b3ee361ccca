import { startChatServer } from '../model/chat.ts';
import { copilotProgram, prepareCopilotHome } from './copilot-home.ts';
import { crashSuite } from './crash-suite.ts';

crashSuite(
  {
    name: 'copilot',
    config: { copilot: { command: copilotProgram, args: ['--allow-all'] } },
    model: startChatServer,
    home: prepareCopilotHome,
  },
  { always: true },
);
