// JSON as a text with places: so that a file of the user's can be changed in one place and stay as it is in all others.

export type Node = ObjectNode | ArrayNode | ScalarNode;

interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly key: string;
  /** Where the key begins. */
  readonly start: number;
  readonly value: Node;
}

export interface ObjectNode extends Place {
  readonly kind: 'object';
  readonly members: readonly Member[];
}

export interface ArrayNode extends Place {
  readonly kind: 'array';
  readonly items: readonly Node[];
}

export interface ScalarNode extends Place {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

/** The text is no JSON, or not what is needed; `offset` is where. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

export function parseJsonText(text: string): Node {
  // Some editors begin a file with a mark of its encoding.
  let at = text.startsWith('\ufeff') ? 1 : 0;

  function space(): void {
    while (' \t\n\r'.includes(text[at] || 'x')) at += 1;
    if (text.startsWith('//', at) || text.startsWith('/*', at))
      throw new JsonFault(at, 'JSON allows no comments');
  }

  function expected(what: string): JsonFault {
    return new JsonFault(
      at,
      at >= text.length ? `the file ends where ${what} is expected` : `${what} is expected`,
    );
  }

  function scalar(pattern: RegExp): ScalarNode | undefined {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) return undefined;
    const start = at;
    try {
      const value = JSON.parse(found) as ScalarNode['value'];
      at += found.length;
      return { kind: 'scalar', start, end: at, value };
    } catch {
      throw new JsonFault(start, 'a text is malformed');
    }
  }

  /** What stands between brackets, with its commas. */
  function list<T>(close: string, one: () => T): T[] {
    const found: T[] = [];
    at += 1;
    space();
    if (text[at] !== close) {
      for (;;) {
        found.push(one());
        space();
        if (text[at] === close) break;
        if (text[at] !== ',') throw expected(`, or ${close}`);
        at += 1;
        space();
        if (text[at] === close) throw new JsonFault(at, `JSON allows no comma before ${close}`);
      }
    }
    at += 1;
    return found;
  }

  function member(): Member {
    const key = scalar(strings);
    if (!key) throw expected('a key in double quotes');
    space();
    if (text[at] !== ':') throw expected(':');
    at += 1;
    space();
    return { key: key.value as string, start: key.start, value: value() };
  }

  function value(): Node {
    const start = at;
    if (text[at] === '{') {
      const members = list('}', member);
      return { kind: 'object', start, end: at, members };
    }
    if (text[at] === '[') {
      const items = list(']', value);
      return { kind: 'array', start, end: at, items };
    }
    const found = scalar(strings) ?? scalar(others);
    if (!found) throw expected('a value');
    return found;
  }

  space();
  const root = value();
  space();
  if (at < text.length) throw new JsonFault(at, 'there is text after the end');
  return root;
}

const strings = /"(?:[^"\\\n\r]|\\.)*"/y;
const others = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/y;

/** What a key stands for; of several equal ones the last, as everywhere. */
export function memberOf(node: ObjectNode, key: string): Member | undefined {
  return node.members.findLast((member) => member.key === key);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
