/** Words for the outcomes of an upload's rows, after their number. Pure; pages and the command line import it, too. */
import type { RowOutcome } from './import/types.ts';

export const OUTCOME_WORDS: Readonly<Record<RowOutcome, string>> = {
  placed: 'placed',
  guessed: 'placed with a guess',
  no_amount: 'without a usable amount',
  total: 'with totals, which aren’t counted',
  unknown_zip: 'in an unknown ZIP code',
  outside_country: 'outside the country',
  not_understood: 'not understood',
};
