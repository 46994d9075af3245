/** What an import tells at its end: what was read, what was kept, what was turned away and why. */

export interface Rejection {
  reason: string;
  count: number;
  /** The first few, so that the operator finds them in the file */
  examples: string[];
}

export interface ImportReport {
  kind: 'zcta' | 'acs' | 'basemap' | 'sample';
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

/** Collects rejections and notes while an import reads. */
export class Findings {
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
}
