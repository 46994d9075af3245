/** Writes the results of a run as JSON, as Vitest's own reporter does, but without a line about it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { JsonReporter } from 'vitest/node';
import { projectFile } from '../../src/base/geodata/project-files.ts';

export class Report extends JsonReporter {
  readonly #file: string;

  /** @param name of the run. `.ci/run` reads its results from `node_modules/.cache/reports/{name}.json` */
  constructor(name: string) {
    super({});
    this.#file = projectFile(`node_modules/.cache/reports/${name}.json`);
  }

  override async writeReport(report: string): Promise<void> {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, report);
  }
}
