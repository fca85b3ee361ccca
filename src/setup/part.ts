// One thing that setup offers: what it would change here, and whether it is there already.
import type { PartName } from '../ledger/ledger.ts';
import type { Change } from './changes.ts';
import type { Place } from './place.ts';

export interface Part {
  readonly name: PartName;
  plan(place: Place): Plan | Promise<Plan>;
}

export type Plan =
  /** Nothing is left to do. */
  | { readonly state: 'there'; readonly what: string }
  /** It cannot be done here, or not by us. */
  | { readonly state: 'not here'; readonly why: string }
  | {
      readonly state: 'offered';
      readonly question: string;
      /** What the person should see first. */
      readonly detail?: readonly string[];
      /** False: it changes what somebody else has written, and so is never done without asking. */
      readonly unasked: boolean;
      readonly changes: readonly Change[];
    };
