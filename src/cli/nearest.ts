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

/** How many letters to add, drop or change; two that have changed places count as one. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] as number;
  for (let row = 1; row <= a.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= b.length; column += 1) {
      const changed = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? at(row - 2, column - 2) + 1
          : Number.POSITIVE_INFINITY;
      (rows[row] as number[]).push(
        Math.min(changed, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1),
      );
    }
  }
  return at(a.length, b.length);
}
