// The few statistics that the figures need. Samples are arrays of milliseconds.

export function percentile(samples, p) {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))];
}

export const median = (samples) => percentile(samples, 50);

/** How much the ratio of the medians moves from one part of the run to another. */
export function ratioNoise(of, to, parts = 5) {
  const size = Math.floor(Math.min(of.length, to.length) / parts);
  const ratios = Array.from({ length: parts }, (_, part) => {
    const slice = (samples) => samples.slice(part * size, (part + 1) * size);
    return median(slice(of)) / median(slice(to));
  });
  return [Math.min(...ratios), Math.max(...ratios)];
}

/** Runs the contenders in turn, so that whatever else the machine does meets all of them alike. */
export async function interleave(rounds, contenders, warmUp = 3) {
  const samples = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const sample = await run(round);
      if (round >= 0) samples[name].push(sample);
    }
  }
  return samples;
}
