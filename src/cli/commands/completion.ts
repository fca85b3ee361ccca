// `sm completion SHELL`: the script of a shell, made from the table of commands; and what it asks for while one types.
import { defineCommand, type Group } from '../command.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { type Shape, shapeOf } from '../completion/shape.ts';
import { zshScript } from '../completion/zsh.ts';
import { Failure } from '../failure.ts';
import { nearest } from '../nearest.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
const choices = [...Object.keys(scripts), 'sessions'];

export default defineCommand({
  usage: choices.join('|'),
  about:
    'Prints the completion script of a shell; sm setup installs it for you. To try it in this shell only:\n' +
    'source <(sm completion bash), the same with zsh, or: sm completion fish | source. sessions prints what the scripts\n' +
    'complete names from: name, id and phase of each session.',
  options: {},
  arity: [1, 1],
  async run({ args: [choice = ''], io, client, groups }) {
    if (choice === 'sessions') {
      const { sessions } = await client.ask('GET /sessions', {}, { start: false });
      for (const { display_name, id, phase } of sessions) io.out(`${display_name}\t${id}\t${phase}\n`);
      return;
    }
    if (!isShell(choice)) {
      const guess = nearest(choice, choices);
      const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
      throw new Failure(`No completion for "${choice}".${hint} There is: ${choices.join(', ')}.`);
    }
    io.out(scripts[choice](await shapes(groups)));
  },
});

const isShell = (choice: string): choice is keyof typeof scripts => Object.hasOwn(scripts, choice);

function shapes(groups: readonly Group[]): Promise<Shape[]> {
  const entries = groups.flatMap(({ entries }) => Object.entries(entries));
  return Promise.all(entries.map(async ([word, entry]) => shapeOf(word, entry.summary, await entry.load())));
}
