// What other nodes may do on this one. Whatever stands in no row here, nobody may from elsewhere.
export const powers = ['look', 'send', 'spawn', 'kill', 'answer', 'attach'] as const;
export type Power = (typeof powers)[number];

const session = '/sessions/[^/]+';
const rows: readonly (readonly [Power, RegExp])[] = [
  ['look', new RegExp(`^GET (/events|/messages/[^/]+|${session}(/[a-z-]+)?)$`)],
  ['send', new RegExp(`^POST (/messages/[^/]+/withdraw|${session}/(input|watch|remind|tags|agent-status))$`)],
  ['send', new RegExp(`^(PATCH ${session}|PUT ${session}/task|DELETE ${session}/remind)$`)],
  ['spawn', new RegExp(`^POST (/sessions|/sessions/spawn|${session}/(restore|fork))$`)],
  ['kill', new RegExp(`^(DELETE ${session}(/lock)?|POST ${session}/(kill|clear|interrupt))$`)],
  ['answer', new RegExp(`^POST ${session}/answer$`)],
  ['attach', new RegExp(`^POST ${session}/(key|typing|slash)$`)],
];

/** Null: it cannot be asked for from another node at all. */
export function powerFor(method: string, path: string): Power | null {
  if (`${method} ${path}` === 'POST /sessions/spawn') return 'spawn';
  return rows.find(([, fits]) => fits.test(`${method} ${path}`))?.[0] ?? null;
}
