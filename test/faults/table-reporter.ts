/** Prints the figures of all fault scenarios as a table when the run ends. */
import type { Reporter, TestModule } from 'vitest/node';
import type { FaultFigures } from './figures.ts';

const COLUMNS: [heading: string, value: (figures: FaultFigures) => string][] = [
  ['scenario', ({ scenario }) => scenario],
  ['database', ({ database }) => database],
  ['answered within', ({ answeredMs }) => seconds(answeredMs)],
  ['cached, median', ({ cachedMs }) => seconds(cachedMs)],
  ['health after', ({ healthMs }) => seconds(healthMs)],
  ['recovered after', ({ recoveredMs }) => seconds(recoveredMs)],
  ['notes', ({ note }) => note ?? ''],
];

const seconds = (ms: number | undefined) => (ms === undefined ? '' : `${(ms / 1000).toFixed(2)} s`);

export default class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const figures = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test) => {
        const { faultFigures } = test.meta();
        if (!faultFigures) return [];
        const note = test.ok() ? faultFigures.note : `MISSED ${faultFigures.note ?? ''}`;
        return { ...faultFigures, note };
      });
    if (figures.length === 0) return;
    const rows = [
      COLUMNS.map(([heading]) => heading),
      ...figures.map((one) => COLUMNS.map(([, value]) => value(one))),
    ];
    const widths = COLUMNS.map((_column, i) => Math.max(...rows.map((row) => row[i]!.length)));
    rows.splice(
      1,
      0,
      widths.map((width) => '-'.repeat(width)),
    );
    const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | '));
    process.stdout.write(`\n${lines.map((line) => `| ${line} |`).join('\n')}\n\n`);
  }
}
