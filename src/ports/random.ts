// All randomness comes from here.
export interface Random {
  /** A universally unique id. */
  uuid(): string;
  /** `length` characters of 0-9 a-f. */
  hex(length: number): string;
}
