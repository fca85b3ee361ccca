import { describe, expect, it } from 'vitest';
import { usagePost } from './usage-post.ts';

describe('a post about usage', () => {
  it('is a sample when it has a percentage, or says that there is none yet', () => {
    const sample = { used_percentage: 42.5, total_input_tokens: 85_000, context_window_size: 200_000 };
    expect(usagePost(sample, 'c1')).toEqual({
      fact: {
        is: 'usage',
        providerId: 'c1',
        usage: { percentage: 42.5, tokens: 85_000, windowSize: 200_000, model: null, costUsd: null },
      },
      answer: { status: 'ok', used_percentage: 42.5 },
    });
    expect(usagePost({ used_percentage: null }, 'c1').fact).toMatchObject({ usage: { percentage: null } });
  });

  it.each([undefined, true, -1, 101, Number.POSITIVE_INFINITY, '50', [50], {}])(
    'teaches nothing when its percentage is %j: it must not pass for an empty context',
    (used_percentage) => {
      expect(usagePost({ used_percentage, total_input_tokens: 1 }, 'c1').fact).toBeNull();
    },
  );

  it('with wrong figures beside the percentage is a sample without them', () => {
    const { fact } = usagePost(
      { used_percentage: 1, total_input_tokens: 'x', context_window_size: -1 },
      'c1',
    );
    expect(fact).toMatchObject({ usage: { percentage: 1, tokens: null, windowSize: null } });
  });
});
