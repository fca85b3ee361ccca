// The daemon refused: a code and data for programs, and a plain sentence for people.
import type { ErrorView, RefusalData } from '../protocol/refusal.ts';

export class Refused extends Error {
  override readonly name = 'Refused';
  /** Of the HTTP answer. */
  readonly status: number;
  readonly code: string;
  readonly data: RefusalData | undefined;
  constructor(status: number, { error, detail, data }: Partial<ErrorView>) {
    super(String(detail ?? error ?? `The daemon answered ${status}.`));
    this.status = status;
    this.code = String(error ?? 'unknown');
    this.data = data;
  }
}

export function refusedBy(status: number, body: string): Refused {
  const answer = parsed(body) as Partial<ErrorView> | null | undefined;
  return new Refused(status, answer ?? { detail: `The daemon answered ${status}: ${body.slice(0, 200)}` });
}

/** Undefined: it is no JSON. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
