// With its terminal opencode is driven in the same way, so that this is for long runs.
import { describe } from 'vitest';
import { card } from '../../src/providers/opencode/card.ts';
import { comebackSuite } from '../conformance/provider/comeback.ts';
import { deliverySuite } from '../conformance/provider/delivery.ts';
import { policySuite } from '../conformance/provider/policies.ts';
import { providerSuite } from '../conformance/provider/suite.ts';
import { opencodeUnderTest } from './opencode-under-test.ts';

describe.skipIf(process.env.SM_TEST_WHOLE_MATRIX !== '1')('in a long run', () => {
  const underTest = opencodeUnderTest(card);
  providerSuite(underTest);
  deliverySuite(underTest);
  policySuite(underTest);
  comebackSuite(underTest);
});
