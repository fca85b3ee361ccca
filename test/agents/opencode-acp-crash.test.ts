import { crashedAcp } from './acp-under-test.ts';
import { crashSuite } from './crash-suite.ts';
import { opencode } from './opencode-acp.ts';

crashSuite(crashedAcp(opencode), { always: false });
