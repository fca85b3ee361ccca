import { card } from '../../../src/providers/scripted/card.ts';
import { claudeManners } from './claude-manners.ts';
import { comebackSuite } from './comeback.ts';
import { deliverySuite } from './delivery.ts';
import { lockSuite } from './locks.ts';
import { policySuite } from './policies.ts';
import { type ProviderUnderTest, providerSuite } from './suite.ts';

const underTest: ProviderUnderTest = {
  name: card.name,
  capabilities: card.capabilities,
  setup: async () => ({}),
  asking: () => ({ config: { scripted: { args: ['--permission-mode', 'default'] } } }),
  ...claudeManners,
};

providerSuite(underTest);
deliverySuite(underTest);
lockSuite(underTest);
policySuite(underTest);
comebackSuite(underTest);
