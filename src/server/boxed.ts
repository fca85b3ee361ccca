// What a session in a sandbox may ask for, and start. Whatever stands in no row here, it may not: what is done for it is
// done outside, where it must not reach more than inside.

import type { Refusal } from '../domain/core/input.ts';
import type { Sandbox } from '../domain/core/options.ts';
import { invalid } from '../domain/core/refusal.ts';
import type { Requester } from './env.ts';
import type { Rejection } from './guard.ts';
import type { WantedOptions } from './session-options.ts';

const session = '/sessions/[^/]+';
const looks = 'children|context|contexts|comments|handoff|last-message|messages|output|screen|send-queue|why';
const acts = [
  'agent-status|answer|clear|context-monitor|fork|handoff|input|interrupt|invalidate-cache|key|kill|lock',
  'remind|restore|slash|tags|takeover|watch',
].join('|');

const allowed: readonly RegExp[] = [
  /^GET \/(health|openapi\.json|events|rows|selection|sessions|locks|cost|limits|digest|search|nodes)$/,
  /^GET \/(messages\/[^/]+|scheduler\/reminders)$/,
  new RegExp(`^GET ${session}(/(${looks}))?$`),
  /^POST \/(messages\/[^/]+\/withdraw|sessions|sessions\/spawn|scheduler\/remind)$/,
  new RegExp(`^POST ${session}/(${acts})$`),
  new RegExp(`^(PATCH ${session}|PUT ${session}/(task|budget)|DELETE ${session}(/(lock|remind))?)$`),
  /^DELETE \/scheduler\/remind\/[^/]+$/,
];

export function refusedInside(method: string, path: string, said: object): Rejection | null {
  const what = `${method} ${path}`;
  const elsewhere = what === 'POST /sessions/spawn' && 'on' in said && said.on != null;
  if (!elsewhere && allowed.some((row) => row.test(what))) return null;
  const detail = `A session in a sandbox cannot ask for this (${what}): it would be done outside of it. Ask your user.`;
  return { status: 403, error: 'in_sandbox', detail };
}

interface Child {
  readonly provider: string | null;
  readonly workingDir: string;
  readonly worktree?: object | false | undefined;
  readonly options?: WantedOptions;
}

/** A child is in the sandbox of its parent, and has nothing that this one has not. Null: it can be started so. */
export function beyondParent(
  { options, provider }: Requester,
  { roots }: Sandbox,
  request: Child,
): Refusal | null {
  const asked = request.options;
  const files = asked?.mcpConfigs.every((file) => options?.mcpConfigs.includes(file)) ?? true;
  const dirs = [request.workingDir, ...(asked?.addDirs ?? [])].find((dir) => !roots.includes(dir));
  const why =
    request.provider !== null && request.provider !== provider
      ? `it is another kind of agent than ${provider}`
      : asked?.profile != null && asked.profile !== options?.profile
        ? `the profile ${asked.profile} may have more`
        : request.worktree
          ? 'a worktree is made outside'
          : dirs !== undefined
            ? `it has not ${dirs}, but ${roots.join(', ')}`
            : files
              ? null
              : 'MCP servers are named by files that it does not have';
  return why === null
    ? null
    : invalid(`A child is in the sandbox of its parent, and cannot have more: ${why}.`);
}
