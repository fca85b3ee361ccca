// The part of `--settings` that is understood here: hooks and the status line.

import { readFileSync } from 'node:fs';
import { UsageError } from './args.ts';

export interface Settings {
  hooks: Record<string, HookGroup[]>;
  statusLine: { command: string } | null;
}

export interface HookGroup {
  matcher?: string;
  hooks: HookSpec[];
}

export type HookSpec = { timeout?: number; async?: boolean } & (
  | { type: 'command'; command: string }
  | { type: 'http'; url: string; headers?: Record<string, string>; allowedEnvVars?: string[] }
);

export function readSettings(fileOrJson: string | null): Settings {
  if (fileOrJson === null) return { hooks: {}, statusLine: null };
  const isJson = fileOrJson.trimStart().startsWith('{');
  try {
    const settings = JSON.parse(isJson ? fileOrJson : readFileSync(fileOrJson, 'utf8'));
    return { hooks: settings.hooks ?? {}, statusLine: settings.statusLine ?? null };
  } catch (error) {
    throw new UsageError(`Error processing settings: ${error instanceof Error ? error.message : error}`);
  }
}
