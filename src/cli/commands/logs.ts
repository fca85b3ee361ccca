import { wholeNumber } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { followFile, lastLines } from '../daemon/log-file.ts';
import { statePaths } from '../daemon/paths.ts';
import { Failure } from '../failure.ts';
import { printLines } from '../io.ts';
import { logText } from '../text/log.ts';

export default defineCommand({
  usage: '[-n N] [-f]',
  options: {
    lines: { value: 'N', short: 'n', help: 'number of lines (default 50)' },
    follow: { short: 'f', help: 'keep printing new lines' },
  },
  async run({ options, io }) {
    const { logFile } = statePaths(io);
    const print = (lines: readonly string[]) =>
      printLines(
        io,
        lines.map((line) => logText(line, io.now())),
      );
    const read = lastLines(logFile, wholeNumber('-n', options.lines, 50));
    if (!read) throw new Failure(`No log at ${logFile}: the daemon has not run yet. Start it with: sm up`);
    print(read.lines);
    if (options.follow) await followFile(logFile, read.end, print);
  },
});
