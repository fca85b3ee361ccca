// The word that somebody probably meant.
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const scored = candidates
    .map((candidate) => ({ candidate, distance: distance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length < 4 ? 1 : 2));
  scored.sort((a, b) => a.distance - b.distance);
  return (
    scored[0]?.candidate ?? candidates.find((candidate) => word.length > 1 && candidate.startsWith(word))
  );
}

/** Levenshtein's: how many letters to add, drop or change. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const here = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = (above[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      here.push(Math.min(change, (above[column] as number) + 1, (here[column - 1] as number) + 1));
    }
    above = here;
  }
  return above[b.length] as number;
}
