import { providerSuite } from './suite.ts';

providerSuite({
  name: 'scripted',
  capabilities: { pane: true, resume: true, compact: true, permissionDialog: true, stash: true, usage: true },
  setup: async () => ({}),
  askingConfig: () => ({ scripted: { args: ['--permission-mode', 'default'] } }),
});
