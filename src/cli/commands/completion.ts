// `sm completion SHELL`: the script of a shell, and what it asks for while one types.
import { defineCommand } from '../command.ts';
import { completionScript, shells } from '../completion/scripts.ts';
import { Failure } from '../failure.ts';
import { nearest } from '../nearest.ts';

const choices = [...shells, 'sessions'];

export default defineCommand({
  usage: choices.join('|'),
  about:
    'Prints the completion script of a shell; sm setup installs it for you. To try it in this shell only:\n' +
    'source <(sm completion bash), the same with zsh, or: sm completion fish | source. sessions prints what the scripts\n' +
    'complete names from: name, id and phase of each session.',
  options: {},
  async run({ args: [choice = ''], io, client, groups }) {
    if (choice === 'sessions') {
      const { sessions } = await client.ask('GET /sessions', {}, { start: false });
      for (const { display_name, id, phase } of sessions) io.out(`${display_name}\t${id}\t${phase}\n`);
      return;
    }
    const shell = shells.find((each) => each === choice);
    if (shell === undefined) {
      const guess = nearest(choice, choices);
      const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
      throw new Failure(`No completion for "${choice}".${hint} There is: ${choices.join(', ')}.`);
    }
    io.out(await completionScript(shell, groups));
  },
});
