/** Prints the figures of all fault scenarios as a table when the run ends. */
import type { Reporter, TestModule } from 'vitest/node';
import { GOALS, type FaultFigures } from './figures.ts';

const COLUMNS: [heading: string, value: (figures: FaultFigures) => string][] = [
  ['scenario', ({ scenario }) => scenario],
  ['database', ({ database }) => database],
  ['answered within', ({ answeredMs }) => seconds(answeredMs, GOALS.answeredMs)],
  ['cached, median', ({ cachedMs }) => seconds(cachedMs, GOALS.cachedMs)],
  ['health after', ({ healthMs }) => seconds(healthMs, GOALS.healthMs)],
  ['recovered after', ({ recoveredMs }) => seconds(recoveredMs, GOALS.recoveredMs)],
  ['notes', ({ note }) => note ?? ''],
];

function seconds(ms: number | undefined, goalMs: number): string {
  if (ms === undefined) return '';
  const text = `${(ms / 1000).toFixed(2)} s`;
  return ms > goalMs ? `${text} (goal: ${goalMs / 1000} s)` : text;
}

export default class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const figures = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test) => {
        const { faultFigures } = test.meta();
        if (!faultFigures) return [];
        const note = test.ok() ? faultFigures.note : `FAILED ${faultFigures.note ?? ''}`;
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
