import { startModelServer } from '../model/anthropic.ts';
import { prepareClaudeHome } from './claude-home.ts';
import { crashSuite } from './crash-suite.ts';

crashSuite(
  {
    name: 'claude-app',
    config: {
      claude_app: {
        command: process.env.SM_TEST_CLAUDE ?? '',
        args: ['--dangerously-skip-permissions'],
        default_model: 'claude-sonnet-4-5-20250929',
      },
    },
    model: startModelServer,
    home: prepareClaudeHome,
  },
  { always: true },
);
