// What the tests must know of a rollout, whichever way Codex was driven.
import type { ProviderUnderTest } from '../conformance/provider/suite.ts';

export const codexRollout: NonNullable<ProviderUnderTest['transcript']> = {
  taken: (lines) =>
    lines.flatMap(({ payload }) =>
      payload.type === 'item_completed' && payload.item.type === 'UserMessage'
        ? [payload.item.content.map(({ text }: { text: string }) => text).join('')]
        : [],
    ),
  turnOver: 'task_complete',
};
