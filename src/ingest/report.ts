/** What an import tells at its end: what was read, what was kept, what was turned away and why. */
import { basename } from 'node:path';

export interface Rejection {
  reason: string;
  count: number;
  /** The first few, so that the operator finds them in the file */
  examples: string[];
}

export interface ImportReport {
  kind: 'zcta' | 'acs' | 'basemap';
  files: string[];
  vintage: string;
  dryRun: boolean;
  rowsRead: number;
  kept: number;
  rejected: Rejection[];
  /** What was mended or is worth knowing; counted where it can be */
  notes: string[];
  seconds: number;
}

const MAX_EXAMPLES = 5;

/** What an import comes upon while it reads. */
export class Findings {
  readonly #startedAt = performance.now();
  readonly #rejections = new Map<string, Rejection>();
  readonly notes: string[] = [];
  rowsRead = 0;

  reject(reason: string, example: string): void {
    let rejection = this.#rejections.get(reason);
    if (!rejection) {
      rejection = { reason, count: 0, examples: [] };
      this.#rejections.set(reason, rejection);
    }
    rejection.count++;
    if (rejection.examples.length < MAX_EXAMPLES) rejection.examples.push(example);
  }

  note(text: string): void {
    this.notes.push(text);
  }

  /** Most frequent first. */
  get rejected(): Rejection[] {
    return [...this.#rejections.values()].sort((a, b) => b.count - a.count);
  }

  /** Closes the account. `files` are paths; the report names the files alone. */
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
      notes: this.notes,
      seconds: (performance.now() - this.#startedAt) / 1000,
    };
  }
}
