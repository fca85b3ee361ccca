// What each kind of agent can do, as its provider declares it: one table for the documents and the doctor.
import type { Capabilities } from '../ports/provider.ts';
import { agents, configurable } from './cards.ts';

/** All that a session can be of. */
const kinds = [...agents, configurable];

/** In the words of the user; what is only of our own making is left out. */
const meanings: Partial<Record<keyof Capabilities, string>> = {
  pane: 'has a terminal to attach to',
  typed: 'is typed to, as you would; otherwise your half-typed line is never touched',
  resume: 'its conversation is taken up again after a crash',
  fork: 'its conversation can be continued twice: `sm fork`',
  adopt: 'a conversation of yours from elsewhere can be taken over: `sm adopt`',
  midTurn: 'takes an important message in the middle of a turn',
  stash: 'your half-typed line is put aside for a message, and comes back',
  permissionDialog: 'its questions block the session, with their text',
  remoteAnswers: 'they can be answered from afar: `sm answer`',
  allows: 'what a rule allows is not asked',
  stops: 'what a rule denies is stopped also where it would not have asked',
  commands: 'the commands that `sm slash` can give it',
  handoff: 'can hand itself over to a fresh context',
  reviews: 'reviews a change when it is told to: `sm review`',
  compact: 'tells of its compactions',
  usage: 'tells how full its context is',
  tellsPrompt: 'tells that it has a prompt before it says anything',
  takesWords: 'words can go with the answer to its question',
  goesOnAfterNo: 'goes on after a no to its question',
  longTexts: 'takes a text of a megabyte within seconds',
  tellsModel: 'tells which model it uses',
  tellsCost: 'tells what it costs; of others, `prices` in the configuration do',
  returnsPrompt: 'a prompt that is cut before any answer comes back into its composer',
};

function inWords(value: Capabilities[keyof Capabilities]): string {
  if (value === undefined) return 'yes';
  if (value === null) return 'all of its own';
  if (typeof value === 'object') return value.join(' ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === 'never') return 'no';
  return value === 'in-tools' ? 'while a tool runs' : value;
}

/** What each takes of the options of a session. */
export function optionRows(): string[][] {
  const takes = (no: string | null) => (no === null ? 'yes' : 'no');
  return [
    ['', ...kinds.map(({ name }) => name)],
    ['`--permission-mode`', ...kinds.map(({ options }) => options.permissionModes.join(', ') || 'none')],
    ['`--add-dir`', ...kinds.map(({ options }) => takes(options.noAddDir))],
    ['`--mcp-config`', ...kinds.map(({ options }) => takes(options.noMcpConfig))],
    ['`--sandbox`', ...kinds.map(({ sandbox }) => (sandbox ? 'yes' : 'no'))],
    [
      'its account directory',
      ...kinds.map(({ options: { accountVariable: name } }) => (name === null ? 'not known' : `\`${name}\``)),
    ],
  ];
}

/** A row of headings, then a row for each thing that an agent may be able to do. */
export function abilityRows(): string[][] {
  const keys = Object.keys(meanings) as (keyof Capabilities)[];
  return [
    ['', ...kinds.map(({ name }) => name)],
    ...keys.map((key) => [
      meanings[key] as string,
      ...kinds.map(({ capabilities }) => inWords(capabilities[key])),
    ]),
  ];
}
