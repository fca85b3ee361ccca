// YAML files of the user's, held against a schema: every fault is named with its line.
import { LineCounter, parseDocument, visit, type Document as YamlDocument } from 'yaml';
import type { z } from 'zod';

/** The file cannot be used; the message names each fault with its line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

interface Parsed<Schema extends z.ZodType> {
  readonly data: z.output<Schema>;
  /** Where that key, or item of a list, stands. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

export function parseYaml<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  file: string,
): Parsed<Schema> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) {
    throw new ConfigError(
      document.errors
        .map((error) => `${file}:${error.linePos?.[0].line ?? 1}: ${error.message.split('\n', 1)[0]}`)
        .join('\n'),
    );
  }
  const parsed = schema.safeParse(readValue(document, lines, file) ?? {});
  if (parsed.success) return { data: parsed.data, lineOf };
  throw new ConfigError(parsed.error.issues.flatMap((issue) => describe(issue)).join('\n'));

  function describe(issue: z.core.$ZodIssue): string[] {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `${file}:${lineOf([...issue.path, key])}: unknown key ${[...issue.path, key].join('.')}`,
      );
    }
    return [`${file}:${lineOf(issue.path)}: ${issue.path.join('.') || 'the file'}: ${issue.message}`];
  }

  function lineOf(path: readonly PropertyKey[]): number {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const place = placeOf(path.slice(0, depth));
      if (place !== undefined) return lines.linePos(place).line;
    }
    return 1;
  }

  function placeOf(path: readonly PropertyKey[]): number | undefined {
    const parent = path.length > 1 ? document.getIn(path.slice(0, -1) as string[], true) : document.contents;
    const items = (
      parent as { items?: { key?: { value?: unknown; range?: number[] }; range?: number[] }[] } | null
    )?.items;
    const last = path.at(-1);
    if (typeof last === 'number') return items?.[last]?.range?.[0];
    const item = items?.find((each) => each.key?.value === last);
    return item?.key?.range?.[0];
  }
}

/** An alias may name nothing, or so much that it is an attack. */
function readValue(document: YamlDocument, lines: LineCounter, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    let line = 1;
    visit(document, {
      Alias(_, alias) {
        if (alias.resolve(document)) return undefined;
        line = lines.linePos(alias.range?.[0] ?? 0).line;
        return visit.BREAK;
      },
    });
    throw new ConfigError(`${file}:${line}: ${(error as Error).message}`);
  }
}
