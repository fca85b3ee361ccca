// Loaded before a program: at SIGUSR2 it takes away what nobody holds, and writes down how much is left.
const { appendFileSync } = require('node:fs');

process.on('SIGUSR2', () => {
  globalThis.gc();
  appendFileSync(process.env.BENCH_HEAP, `${process.memoryUsage().heapUsed}\n`);
});
