// What stands in files and comes from other programs: each is read, or refused in words of ours.
import { it } from 'vitest';
import { parseTemplates } from '../../src/cli/dispatch/template-file.ts';
import { readResponse } from '../../src/client/http-response.ts';
import { parseConfig } from '../../src/daemon/config.ts';
import { readTeamFile } from '../../src/daemon/team-file.ts';
import { ConfigError } from '../../src/daemon/yaml.ts';
import { parsePattern } from '../../src/domain/policy/rule.ts';
import { JsonFault, parseJsonText } from '../../src/installed-hooks/json-text.ts';
import { readSelector } from '../../src/protocol/selector.ts';
import { readClaudeScreen } from '../../src/providers/claude/screen.ts';
import { readCodexScreen } from '../../src/providers/codex/screen.ts';
import { readGeminiScreen } from '../../src/providers/gemini/screen.ts';
import { wordsOfLine } from '../../src/providers/transcript-words.ts';
import { connectControl } from '../../src/terminal/control-connection.ts';
import { parsePanes } from '../../src/terminal/panes.ts';
import { parseLook } from '../../src/terminal/screen.ts';
import { readPatches } from '../../src/worktrees/changes.ts';
import { type Dice, eachInput, inputs } from './dice.ts';
import { hostileText, mangled } from './hostile.ts';
import { config, controlLines, patch, response, screens, settings, team, templates } from './written.ts';

const allows =
  (...expected: (new (...args: never[]) => Error)[]) =>
  (read: () => void) => {
    try {
      read();
    } catch (error) {
      if (!expected.some((kind) => error instanceof kind)) throw error;
    }
  };
const asConfig = allows(ConfigError);
const asJson = allows(JsonFault);

/** One of them, torn more than once. */
function torn(d: Dice, ...texts: readonly string[]): string {
  let text = d.once(30) ? hostileText(d) : d.pick(texts);
  for (let times = d.below(4); times > 0; times -= 1) text = mangled(d, text);
  return text;
}

const readers: readonly [string, (d: Dice) => void][] = [
  ['the configuration', (d) => asConfig(() => parseConfig(torn(d, ...config), '/c.yaml'))],
  ['a team in a file', (d) => asConfig(() => readTeamFile(torn(d, ...team), '/team.yaml'))],
  ['templates', (d) => void parseTemplates(torn(d, ...templates), '/t.yaml', ['wait'])],
  ['the settings of an agent', (d) => asJson(() => parseJsonText(torn(d, ...settings)))],
  ['an answer over HTTP', (d) => void readResponse(Buffer.from(torn(d, ...response), 'latin1'))],
  ['a selector', (d) => void readSelector(torn(d, 'tag:night', 'children:worker', 'phase:idle', 'w*'))],
  [
    'a pattern of a policy',
    (d) => void parsePattern(torn(d, 'npm test *', '/src/**', 'https://*.example.com/*')),
  ],
  ['a patch of git', (d) => void readPatches(Buffer.from(torn(d, ...patch)), d.once(2))],
  ['the words of a transcript', (d) => void wordsOfLine(d.pick(['claude', 'codex']), torn(d, ...settings))],
  ['the panes of tmux', (d) => void parsePanes(torn(d, ...screens).split('\n'))],
  [
    'a screen',
    (d) => {
      const outputs = [0, 1, 2, 3].map(() => torn(d, ...screens).split('\n'));
      const look = parseLook(outputs, 1_000_000);
      readClaudeScreen(look);
      readGeminiScreen(look);
      readCodexScreen(look);
    },
  ],
  ['the control stream of tmux', control],
];

/** Whatever it says, whoever asks is answered, or hears that it was lost. */
function control(d: Dice): void {
  let hear: (line: string) => void = () => {};
  let close: () => void = () => {};
  let isOpen = true;
  let answered = 0;
  const end = () => {
    if (isOpen) close();
    isOpen = false;
  };
  const connection = connectControl(
    {
      send: () => {},
      onLine: (listener) => {
        hear = listener;
      },
      onClose: (listener) => {
        close = () => listener({ stderr: '', error: null });
      },
      close: end,
    },
    { attached: () => {}, notified: () => {}, closed: () => {} },
  );
  hear('%begin 1 1 0');
  hear('%end 1 1 0');
  const asked = 1 + d.below(3);
  for (let i = 0; i < asked; i += 1)
    void connection.request([['list-panes']]).then(() => {
      answered += 1;
    });
  for (let lines = d.below(12); lines > 0 && isOpen; lines -= 1) hear(torn(d, ...controlLines));
  end();
  if (answered > asked) throw new Error('an answer too many');
}

it.each(readers)(`%s: ${inputs} inputs`, async (_, read) => {
  await eachInput(inputs, (d) => read(d));
});
