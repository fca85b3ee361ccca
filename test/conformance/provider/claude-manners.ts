// What the suites must know of Claude Code's terminal and files, and of those of the scripted agent, which copies them.
import type { ProviderUnderTest } from './suite.ts';

export const claudeManners: Required<Pick<ProviderUnderTest, 'terminal' | 'transcript'>> = {
  terminal: {
    composer: (draft = '') => new RegExp(`^❯.?${draft}`, 'm'),
    question: /Do you want to proceed\?/,
  },
  transcript: {
    taken: (lines) =>
      lines.flatMap((line) => {
        if (line.type === 'user' && line.promptId && typeof line.message?.content === 'string')
          return [line.message.content];
        return line.attachment?.type === 'queued_command' ? [line.attachment.prompt] : [];
      }),
    turnOver: 'turn_duration',
  },
};
