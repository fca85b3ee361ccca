import { describe } from 'vitest';
import { comebackSuite } from '../conformance/provider/comeback.ts';
import { deliverySuite } from '../conformance/provider/delivery.ts';
import { policySuite } from '../conformance/provider/policies.ts';
import { providerSuite } from '../conformance/provider/suite.ts';
import { acpUnderTest } from './acp-under-test.ts';
import { opencode } from './opencode-acp.ts';

const underTest = acpUnderTest(opencode);

// Its program is slow to start, and the suite starts dozens: for long runs.
describe.skipIf(process.env.SM_TEST_WHOLE_MATRIX !== '1')('in a long run', () => {
  providerSuite(underTest);
  deliverySuite(underTest);
  policySuite(underTest);
  comebackSuite(underTest);
});
