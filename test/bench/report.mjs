// What a figure says, for people and for machines.
//
// A figure is { name, what, value, unit, goal?, detail }; a goal is { atMost } or { atLeast }.

export function isMet({ value, goal }) {
  if (!goal) return null;
  return goal.atMost !== undefined ? value <= goal.atMost : value >= goal.atLeast;
}

export function toLine(figure) {
  const { what, value, unit, goal, detail } = figure;
  const met = isMet(figure);
  const verdict = met === null ? '-' : met ? 'met' : 'MISSED';
  const measured = `${round(value)} ${unit}`;
  return `${verdict.padEnd(7)}${what.padEnd(48)}${measured.padStart(12)}  ${goalText(goal, unit).padEnd(16)}${detail ?? ''}`.trimEnd();
}

export const toJson = (figure) => ({ ...figure, met: isMet(figure) });

/** Three digits that tell something. */
export function round(value) {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(Math.abs(value) >= 10 ? 3 : 2 + (Math.abs(value) >= 1 ? 1 : 0))));
}

function goalText(goal, unit) {
  if (!goal) return '';
  return goal.atMost !== undefined ? `goal <= ${goal.atMost} ${unit}` : `goal >= ${goal.atLeast} ${unit}`;
}
