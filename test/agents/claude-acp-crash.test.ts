import { crashedAcp } from './acp-under-test.ts';
import { claude } from './claude-acp.ts';
import { crashSuite } from './crash-suite.ts';

crashSuite(crashedAcp(claude), { always: false });
