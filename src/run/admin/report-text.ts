/** Formats import and scoring reports for a terminal. */
import type { ImportReport, Rejection } from '../../data/ingest/report.ts';
import type { ScoringReport } from '../../data/scoring/recompute.ts';
import { formatCount } from '../../base/text/words.ts';

const formatSeconds = (seconds: number) => `${seconds.toFixed(1)} s`;

export function importReportText(report: ImportReport): string {
  const head = report.dryRun
    ? `Dry run of ${report.kind}: nothing was changed.`
    : `Imported ${report.kind}.`;
  const lines = [
    head,
    '',
    fact('files', report.files.join('\n              ')),
    fact('vintage', report.vintage),
    fact('rows read', formatCount(report.rowsRead)),
    fact(report.dryRun ? 'would keep' : 'kept', formatCount(report.kept)),
    ...leftOut('rejected', report.rejected),
    ...(report.skipped.length > 0 ? leftOut('skipped', report.skipped) : []),
    fact('time', formatSeconds(report.seconds)),
  ];
  if (report.notes.length > 0) lines.push('', 'Notes', ...report.notes.map((n) => `  - ${n}`));
  return lines.join('\n');
}

const leftOut = (name: string, rejections: readonly Rejection[]) => [
  fact(name, formatCount(rejections.reduce((sum, { count }) => sum + count, 0))),
  ...rejections.map(
    ({ reason, count, examples }) =>
      `    ${formatCount(count).padStart(7)}  ${reason}\n             e.g. ${examples.join(', ')}`,
  ),
];

const fact = (name: string, value: string) => `  ${name.padEnd(11)} ${value}`;

export function scoringReportText(report: ScoringReport): string {
  const width = Math.max(...report.verticals.map((v) => v.label.length));
  return [
    `Scored ${formatCount(report.zips)} ZIP codes for ${report.verticals.length} verticals in ` +
      `${formatSeconds(report.seconds)} (formulas ${formatSeconds(report.computeSeconds)}).`,
    `Demographics: ${report.vintage}`,
    '',
    `  ${'Vertical'.padEnd(width)}  ZIP codes scored  Signals known`,
    ...report.verticals.map(
      (v) =>
        `  ${v.label.padEnd(width)}  ${formatCount(v.scored).padStart(16)}  ` +
        `${Math.round(100 * v.meanCoverage)}%`.padStart(13),
    ),
  ].join('\n');
}
