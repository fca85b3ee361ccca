import { comebackSuite } from '../conformance/provider/comeback.ts';
import { deliverySuite } from '../conformance/provider/delivery.ts';
import { policySuite } from '../conformance/provider/policies.ts';
import { providerSuite } from '../conformance/provider/suite.ts';
import { acpUnderTest } from './acp-under-test.ts';
import { copilot } from './copilot-acp.ts';

const underTest = acpUnderTest(copilot);

providerSuite(underTest);
deliverySuite(underTest);
policySuite(underTest);
comebackSuite(underTest);
