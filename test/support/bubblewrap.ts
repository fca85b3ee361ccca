// Whether sandboxes can be made on this machine; where not, it is said once.
import { faultOfBwrap, findBwrap } from '../../src/sandbox/bwrap.ts';

const program = await findBwrap();
const fault = program === null ? 'it is not installed' : await faultOfBwrap(program);
if (fault !== null) console.warn(`bubblewrap does not work here (${fault}): sandboxes are not tested`);

export const bubblewrapWorks = fault === null;
