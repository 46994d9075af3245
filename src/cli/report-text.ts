/** Reports as people read them in a terminal. */
import type { ImportReport } from '../ingest/report.ts';
import type { ScoringReport } from '../scoring/recompute.ts';

const count = (n: number) => n.toLocaleString('en-US');
const seconds = (s: number) => `${s.toFixed(1)} s`;

export function importReportText(report: ImportReport): string {
  const head = report.dryRun
    ? `Dry run of ${report.kind}: nothing was changed.`
    : `Imported ${report.kind}.`;
  const rejected = report.rejected.reduce((sum, r) => sum + r.count, 0);
  const lines = [
    head,
    '',
    fact('files', report.files.join('\n              ')),
    fact('vintage', report.vintage),
    fact('rows read', count(report.rowsRead)),
    fact(report.dryRun ? 'would keep' : 'kept', count(report.kept)),
    fact('rejected', count(rejected)),
    ...report.rejected.map(
      (r) =>
        `    ${count(r.count).padStart(7)}  ${r.reason}\n             e.g. ${r.examples.join(', ')}`,
    ),
    fact('took', seconds(report.seconds)),
  ];
  if (report.notes.length > 0) lines.push('', 'Notes', ...report.notes.map((n) => `  - ${n}`));
  return lines.join('\n');
}

const fact = (name: string, value: string) => `  ${name.padEnd(11)} ${value}`;

export function scoringReportText(report: ScoringReport): string {
  const width = Math.max(...report.verticals.map((v) => v.label.length));
  return [
    `Scored ${count(report.zips)} ZIPs for ${report.verticals.length} verticals in ` +
      `${seconds(report.seconds)} (formulas ${seconds(report.computeSeconds)}).`,
    `Demographics: ${report.vintage}`,
    '',
    `  ${'vertical'.padEnd(width)}  ZIPs scored  signals known`,
    ...report.verticals.map(
      (v) =>
        `  ${v.label.padEnd(width)}  ${count(v.scored).padStart(11)}  ` +
        `${Math.round(100 * v.meanCoverage)} %`.padStart(13),
    ),
  ].join('\n');
}
