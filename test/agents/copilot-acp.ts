// Copilot CLI by the Agent Client Protocol.
import { startChatServer } from '../model/chat.ts';
import type { AcpAgent } from './acp-under-test.ts';
import { type CopilotHome, copilotProgram, prepareCopilotHome, takenBy } from './copilot-home.ts';

export const copilot: AcpAgent<CopilotHome> = {
  name: 'copilot-acp',
  like: 'copilot',
  command: copilotProgram,
  trusting: () => ({ args: ['--acp', '--allow-all-tools', '--allow-all-paths'] }),
  asking: () => ({ args: ['--acp'] }),
  model: startChatServer,
  home: prepareCopilotHome,
  taken: (home, { context }) => takenBy(home, context.provider_id as string),
  heavy: true,
};
