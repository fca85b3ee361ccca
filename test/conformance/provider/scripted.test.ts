import { deliverySuite } from './delivery.ts';
import { type ProviderUnderTest, providerSuite } from './suite.ts';

const underTest: ProviderUnderTest = {
  name: 'scripted',
  capabilities: {
    pane: true,
    resume: true,
    compact: true,
    permissionDialog: true,
    stash: true,
    usage: true,
    namesConversation: false,
  },
  setup: async () => ({}),
  askingConfig: () => ({ scripted: { args: ['--permission-mode', 'default'] } }),
};

providerSuite(underTest);
deliverySuite(underTest);
