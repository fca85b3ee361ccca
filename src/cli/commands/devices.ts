import type { DeviceView } from '../../protocol/device.ts';
import { defineCommand, jsonOption } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import { type Io, printLines } from '../io.ts';
import { coloursFor } from '../text/colours.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { tableLines } from '../text/table.ts';
import { ago, clock } from '../text/time.ts';

export default defineCommand({
  usage: '[revoke DEVICE… | revoke all] [--json]',
  about:
    'Lists the browsers that are signed in to the page. revoke signs one out at once, wherever it is; sm open or sm pair\n' +
    'signs it in again. One that is not used for 30 days is signed out by itself.',
  options: { json: jsonOption },
  arity: [0, Number.POSITIVE_INFINITY],
  async run({ args: [action, ...ids], options, io, client }) {
    if (action === undefined) return list(io, client, options.json);
    if (action !== 'revoke') throw new Failure(`Unknown action "${oneLine(action)}". See: sm devices --help`);
    if (ids.length === 0) throw new Failure('Missing argument DEVICE. Usage: sm devices revoke DEVICE');
    const { devices } = await client.ask('GET /devices');
    const chosen = ids[0] === 'all' ? devices : ids.map((id) => deviceCalled(id, devices));
    for (const { id } of chosen) await client.ask('DELETE /devices/{id}', { id });
    if (options.json) return io.out(safeJson({ revoked: chosen }));
    if (chosen.length === 0) return io.out('No browser is signed in.\n');
    printLines(
      io,
      chosen.map((each) => `Signed out: ${nameAndId(each)}`),
    );
  },
});

async function list(io: Io, client: Client, json: boolean): Promise<void> {
  const { devices } = await client.ask('GET /devices');
  if (json) return io.out(safeJson({ devices }));
  if (devices.length === 0) return io.out('No browser is signed in. Sign one in with: sm open\n');
  const rows = devices.map((each) => [
    each.id,
    oneLine(each.name),
    each.link ? 'not opened' : ago(each.signed_in_at, io.now()),
    each.link ? '' : ago(each.seen_at, io.now()),
    clock(each.expires_at, io.now()),
  ]);
  const [head = '', ...lines] = tableLines(
    ['DEVICE', 'NAME', 'SIGNED IN', 'SEEN', 'UNTIL'],
    rows,
    io.columns,
  );
  printLines(io, [coloursFor(io).dim(head), ...lines]);
}

/** By its id, or by the beginning of it that no other has. */
function deviceCalled(id: string, devices: readonly DeviceView[]): DeviceView {
  const found = devices.filter((each) => each.id.startsWith(id));
  const [device] = found;
  if (device && found.length === 1) return device;
  if (device)
    throw new Failure(`"${oneLine(id)}" may be ${found.map(nameAndId).join(' or ')}. Give more of the id.`);
  throw new Failure(`No device "${oneLine(id)}" is signed in. See: sm devices`);
}

const nameAndId = ({ name, id }: DeviceView): string => `${oneLine(name)} (${id})`;
