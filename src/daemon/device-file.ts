// The browsers that are signed in, in a file beside the token: an old backup of the history must not sign one in again.
import { readFileSync } from 'node:fs';
import type { Device, DeviceFile } from '../ports/devices.ts';
import { replaceFile } from './private-file.ts';

export function deviceFile(path: string): DeviceFile {
  return {
    read() {
      try {
        return JSON.parse(readFileSync(path, 'utf8')) as Device[];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return [];
        throw error;
      }
    },
    write: (devices) => replaceFile(path, `${JSON.stringify(devices, null, 2)}\n`),
  };
}
