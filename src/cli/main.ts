#!/usr/bin/env node
// `sm`: agents run it thousands of times a day, so nothing is loaded that the command at hand does not need.
import { processIo } from './process-io.ts';
import { run } from './run.ts';

run(process.argv.slice(2), processIo()).then((exitCode) => {
  // Not process.exit: what is still on its way through a pipe must arrive.
  process.exitCode = exitCode;
});
