// What stands open in a template: `{key}` is filled, `{{key}}` is the text `{key}`, and every other brace is itself.
const placeholder = /\{\{([A-Za-z][\w-]*)\}\}|\{([A-Za-z][\w-]*)\}/g;

/** The keys of a template, in the order in which they first come. */
export function keysIn(template: string): string[] {
  const keys = [...template.matchAll(placeholder)].flatMap(([, , key]) => key ?? []);
  return [...new Set(keys)];
}

/** A value is text: what looks like a placeholder in it stays as it is. */
export function fill(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(placeholder, (whole, literal: string | undefined, key: string) =>
    literal === undefined ? (values.get(key) ?? whole) : `{${literal}}`,
  );
}
