import { crashedAcp } from './acp-under-test.ts';
import { copilot } from './copilot-acp.ts';
import { crashSuite } from './crash-suite.ts';

crashSuite(crashedAcp(copilot), { always: true });
