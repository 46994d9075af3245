/** The report of an import: rows read, kept, and rejected, and values skipped, with reasons. */
import { basename } from 'node:path';
import { formatCount } from '../../base/text/words.ts';

/** What an import left out, and why */
export interface Rejection {
  reason: string;
  count: number;
  /** The first few, so that operators can find them in the file */
  examples: string[];
}

export interface ImportReport {
  kind: 'zcta' | 'acs' | 'basemap' | 'zcta-relationship';
  files: string[];
  vintage: string;
  dryRun: boolean;
  rowsRead: number;
  kept: number;
  /** Rows */
  rejected: Rejection[];
  /** Values of kept rows */
  skipped: Rejection[];
  /** Repairs and other remarks */
  notes: string[];
  seconds: number;
}

const MAX_EXAMPLES = 5;

/** Collects findings during an import. */
export class Findings {
  readonly #startedAt = performance.now();
  readonly #rejected = new Map<string, Rejection>();
  readonly #skipped = new Map<string, Rejection>();
  readonly #tallies = new Map<string, { count: number; at: number }>();
  readonly notes: string[] = [];
  rowsRead = 0;

  /** Counts a row that isn't kept. */
  reject(reason: string, example: string): void {
    count(this.#rejected, reason, example);
  }

  /** Counts a value that isn't kept, although its row is. */
  skipValue(reason: string, example: string): void {
    count(this.#skipped, reason, example);
  }

  note(text: string): void {
    this.notes.push(text);
  }

  /** Adds to a note that starts with a count, such as one for several files. */
  tally(count: number, what: string): void {
    const tally = this.#tallies.get(what) ?? { count: 0, at: this.notes.length };
    tally.count += count;
    this.#tallies.set(what, tally);
    this.notes[tally.at] = `${formatCount(tally.count)} ${what}`;
  }

  /** Most frequent first. */
  get rejected(): Rejection[] {
    return mostFrequentFirst(this.#rejected);
  }

  /** Creates the report. `files` are paths, of which the report shows the names. */
  report(result: {
    kind: ImportReport['kind'];
    files: readonly string[];
    vintage: string;
    dryRun: boolean | undefined;
    kept: number;
  }): ImportReport {
    return {
      kind: result.kind,
      files: result.files.map((file) => basename(file)),
      vintage: result.vintage,
      dryRun: result.dryRun ?? false,
      rowsRead: this.rowsRead,
      kept: result.kept,
      rejected: this.rejected,
      skipped: mostFrequentFirst(this.#skipped),
      notes: this.notes,
      seconds: (performance.now() - this.#startedAt) / 1000,
    };
  }
}

function count(into: Map<string, Rejection>, reason: string, example: string): void {
  const rejection = into.get(reason) ?? { reason, count: 0, examples: [] };
  into.set(reason, rejection);
  rejection.count++;
  if (rejection.examples.length < MAX_EXAMPLES) rejection.examples.push(example);
}

const mostFrequentFirst = (rejections: ReadonlyMap<string, Rejection>) =>
  [...rejections.values()].sort((a, b) => b.count - a.count);
