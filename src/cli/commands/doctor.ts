import { defineCommand, jsonOption } from '../command.ts';
import { runBundle } from '../daemon/bundle.ts';
import type { Client } from '../daemon/client.ts';
import { type Io, printLines } from '../io.ts';
import { safeJson, safeText } from '../text/safe.ts';
import { agentText, nameAndId, notRecognised, phaseAndSince } from '../text/session.ts';

/** A whole terminal, and what scrolled out of it last. */
const lines = 60;

export default defineCommand({
  usage: '[--fix] [--abilities] [--report SESSION] [--json]',
  about:
    'Checks this machine and prints, with each finding, the command that repairs it. --fix runs those that can harm\n' +
    'nothing. --abilities lists what each kind of agent can do. --report prints what we need when sm does not\n' +
    'recognise a screen: versions and the terminal content. Remove anything private before you send it.',
  options: {
    fix: { help: 'repair what can be repaired without harm' },
    abilities: { help: 'list what each kind of agent can do' },
    report: { value: 'SESSION', help: 'print a report about its screen' },
    json: jsonOption,
  },
  run: ({ options, io, client }) =>
    options.report === undefined
      ? runBundle(io, 'daemon.cjs', ['--doctor', ...passed(options)])
      : report(io, client, options.report, options.json),
});

const passed = (options: { readonly fix: boolean; readonly abilities: boolean; readonly json: boolean }) =>
  (['fix', 'abilities', 'json'] as const).filter((name) => options[name]).map((name) => `--${name}`);

async function report(io: Io, client: Client, ref: string, json: boolean): Promise<void> {
  const { version } = await client.ask('GET /health');
  const session = await client.ask('GET /sessions/{ref}', { ref });
  const { output } = await client.ask('GET /sessions/{ref}/output', { ref: session.id, query: { lines } });
  const system = { sm: version, node: process.version, platform: `${process.platform} ${process.arch}` };
  if (json) return io.out(safeJson({ ...system, session, output }));
  printLines(io, [
    `sm ${system.sm}, node ${system.node}, ${system.platform}`,
    `${nameAndId(session)}: ${agentText(session.provider, session.agent_version)}`,
    [phaseAndSince(session, io.now()), notRecognised(session)].filter(Boolean).join(', '),
    'Its terminal shows:',
    safeText(output).trimEnd(),
  ]);
}
