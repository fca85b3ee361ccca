// Where things are in this checkout.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

export const root = join(here, '..', '..');
export const dist = join(root, 'dist');
export const hooks = join(root, 'hooks');
export const programs = join(here, 'programs');
