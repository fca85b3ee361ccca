import { describe } from 'vitest';
import { comebackSuite } from '../conformance/provider/comeback.ts';
import { deliverySuite } from '../conformance/provider/delivery.ts';
import { lockSuite } from '../conformance/provider/locks.ts';
import { policySuite } from '../conformance/provider/policies.ts';
import { providerSuite } from '../conformance/provider/suite.ts';
import { copilotUnderTest } from './copilot-under-test.ts';

providerSuite(copilotUnderTest());
// A megabyte is a third of a million tokens, which it counts before it asks its model.
deliverySuite(copilotUnderTest({ windowSize: 600_000 }));
policySuite(copilotUnderTest());
// Two that come back at once: now and then one of them asks something first, and it is not known what.
describe.skipIf(process.env.SM_TEST_WHOLE_MATRIX !== '1')('in a long run', () =>
  comebackSuite(copilotUnderTest()),
);
lockSuite(copilotUnderTest());
