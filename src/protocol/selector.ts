// What names several sessions at once: `tag:night`, `repo:app`, `children:lead`, `phase:idle`, or a name with * or ?.
// Whoever calls must know it from a name: what a selector means is shown before it is acted on.

export const selectorKinds = ['tag', 'repo', 'children', 'phase'] as const;
export type SelectorKind = (typeof selectorKinds)[number];

const kinds = new RegExp(`^(${selectorKinds.join('|')}):(.+)$`, 's');

export const isSelector = (ref: string): boolean => kinds.test(ref) || /[*?]/.test(ref);

/** `name`: it is a pattern of names. */
export function readSelector(ref: string): { readonly kind: SelectorKind | 'name'; readonly value: string } {
  const [, kind, value = ref] = kinds.exec(ref) ?? [];
  return { kind: (kind as SelectorKind | undefined) ?? 'name', value };
}
