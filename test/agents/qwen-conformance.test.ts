import { describe } from 'vitest';
import { comebackSuite } from '../conformance/provider/comeback.ts';
import { deliverySuite } from '../conformance/provider/delivery.ts';
import { lockSuite } from '../conformance/provider/locks.ts';
import { policySuite } from '../conformance/provider/policies.ts';
import { providerSuite } from '../conformance/provider/suite.ts';
import { qwenUnderTest } from './qwen-under-test.ts';

const underTest = qwenUnderTest();

// Its program is slow to start, and the suite starts dozens: for long runs.
describe.skipIf(process.env.SM_TEST_WHOLE_MATRIX !== '1')('in a long run', () => {
  providerSuite(underTest);
  // A prompt of a megabyte is more than it would take otherwise.
  deliverySuite(qwenUnderTest(2_000_000));
  policySuite(underTest);
  lockSuite(underTest);
  comebackSuite(underTest);
});
