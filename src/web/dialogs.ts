// What an act asks or shows before or instead of being done.
import type { Client } from '../client/client.ts';

/** Does it, and answers what came of it in a sentence. */
export type Work = (client: Client) => Promise<string>;

export type Dialog =
  /** Yes or no. */
  | {
      readonly is: 'confirm';
      readonly title: string;
      readonly text: string;
      readonly button: string;
      readonly work: Work;
    }
  /** One line of text. */
  | {
      readonly is: 'line';
      readonly title: string;
      readonly label: string;
      readonly value: string;
      readonly button: string;
      /** It may be left empty. */
      readonly optional?: boolean;
      readonly work: (text: string) => Work;
    }
  /** Something to read. */
  | { readonly is: 'text'; readonly title: string; readonly load: Work }
  | { readonly is: 'spawn' }
  | { readonly is: 'keys' };
