// opencode by the Agent Client Protocol.
import { startChatServer } from '../model/chat.ts';
import type { AcpAgent } from './acp-under-test.ts';
import { type OpencodeHome, prepareOpencodeHome, takenBy } from './opencode-home.ts';

const asksForCommands = JSON.stringify({ permission: { '*': 'allow', bash: 'ask' } });

export const opencode: AcpAgent<OpencodeHome> = {
  name: 'opencode-acp',
  like: 'opencode',
  command: process.env.SM_TEST_OPENCODE ?? '',
  trusting: () => ({ args: ['acp'] }),
  asking: () => ({ args: ['acp'], env: { OPENCODE_CONFIG_CONTENT: asksForCommands } }),
  model: startChatServer,
  home: prepareOpencodeHome,
  taken: (home, { context }) => takenBy(home, context.provider_id as string),
  heavy: true,
};
