import { card } from '../../src/providers/opencode-app/card.ts';
import { comebackSuite } from '../conformance/provider/comeback.ts';
import { deliverySuite } from '../conformance/provider/delivery.ts';
import { policySuite } from '../conformance/provider/policies.ts';
import { providerSuite } from '../conformance/provider/suite.ts';
import { opencodeUnderTest } from './opencode-under-test.ts';

const underTest = opencodeUnderTest(card);

providerSuite(underTest);
deliverySuite(underTest);
policySuite(underTest);
comebackSuite(underTest);
