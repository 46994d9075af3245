/** Adds up amounts by ZIP code. Pure. */
import { tooManySets, MAX_SETS } from './choose-columns.ts';
import type { AmountChoice, ReadSet } from './types.ts';

/** A slot for each number with five digits, and for each text with three digits */
const ZIP_SLOTS = 100_000;
const SLOTS = ZIP_SLOTS + 1_000;

/** The slot of a ZIP code */
export const slotOf = (zip: string) => Number(zip);
export const zipOf = (slot: number) => String(slot).padStart(5, '0');
/** The slot of three digits, which are a ZIP code only if the file has lost leading zeros elsewhere */
export const slotOfThree = (digits: string) => ZIP_SLOTS + Number(digits);

/** Copies a text to keep. Without a copy, the whole piece of the file that contains it would stay in memory. */
export const copied = (text: string): string => Buffer.from(text).toString();

interface Totals {
  sums: Float64Array;
  rows: Uint32Array;
}

export class Tally {
  readonly #choices: readonly AmountChoice[];
  readonly #groups = new Map<string | null, { name: string | null; totals: Totals[] }>();

  constructor(choices: readonly AmountChoice[]) {
    this.#choices = choices;
  }

  /**
   * Returns a place for the rows of a group.
   * @param key tells groups apart
   * @param name for people
   * @throws ServiceError 400 for too many groups
   */
  group(key: string | null, name = key): Totals[] {
    const known = this.#groups.get(key);
    if (known !== undefined) return known.totals;
    if ((this.#groups.size + 1) * this.#choices.length > MAX_SETS) throw tooManySets();
    const totals = this.#choices.map(() => ({
      sums: new Float64Array(SLOTS),
      rows: new Uint32Array(SLOTS),
    }));
    this.#groups.set(key, { name, totals });
    return totals;
  }

  /** Decides on the rows with three digits: they get their zeros back, or are dropped. */
  settleThree(digits: string, keep: boolean): void {
    const from = slotOfThree(digits);
    for (const { sums, rows } of [...this.#groups.values()].flatMap(({ totals }) => totals)) {
      if (keep) {
        sums[Number(digits)]! += sums[from]!;
        rows[Number(digits)]! += rows[from]!;
      }
      sums[from] = rows[from] = 0;
    }
  }

  sets(): ReadSet[] {
    return [...this.#groups.values()].flatMap(({ name: group, totals }) =>
      totals.map(({ sums, rows }, i) => {
        const choice = this.#choices[i]!;
        const { kind } = choice;
        const slots = Uint32Array.from(filled(rows));
        return {
          kind,
          group,
          column: choice.kind === 'count' ? null : choice.column,
          zips: Array.from(slots, zipOf),
          amounts: Float64Array.from(slots, (at) =>
            kind === 'count' ? rows[at]! : kind === 'sum' ? sums[at]! : sums[at]! / rows[at]!,
          ),
          rows: Uint32Array.from(slots, (at) => rows[at]!),
        };
      }),
    );
  }
}

const filled = (rows: Uint32Array): number[] =>
  [...rows.subarray(0, ZIP_SLOTS).keys()].filter((at) => rows[at]! > 0);
