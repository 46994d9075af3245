/** The report of an import: the part that its page shows, and all of it as CSV. */
import { csvLines } from '../../../base/text/csv.ts';
import type { Finding, Outcome, EntryKind } from '../../../base/lists/finding.ts';
import type { ImportReport } from './read-import.ts';

export interface ImportSummary extends Pick<
  ImportReport,
  'place' | 'summary' | 'columns' | 'sheets' | 'zips' | 'guesses' | 'shared'
> {
  /** Number of findings by outcome */
  counts: Partial<Record<Outcome, number>>;
  /** The first 200 findings that need attention. The CSV file has all findings. */
  notable: Finding[];
  /** Number of findings that need attention */
  notableCount: number;
}

const MAX_NOTABLE = 200;

export function summarizeImport(report: ImportReport): ImportSummary {
  const { findings, ...rest } = report;
  const counts: ImportSummary['counts'] = {};
  for (const { outcome } of findings) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const notable = notableFindings(report.place, findings);
  return { ...rest, counts, notable: notable.slice(0, MAX_NOTABLE), notableCount: notable.length };
}

/** Returns the findings that need attention. New ZIP codes of an area don't. */
function notableFindings(place: EntryKind, findings: readonly Finding[]): Finding[] {
  return findings
    .filter(({ outcome, reason }) => outcome !== 'new' || (place !== 'feature' && reason !== null))
    .sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) || a.at - b.at);
}

const ORDER: readonly Outcome[] = [
  'not_understood',
  'unknown',
  'guessed',
  'new',
  'held',
  'repeated',
];

const LABELS: Readonly<Record<Outcome, string>> = {
  new: 'understood',
  guessed: 'guessed',
  held: 'already held',
  unknown: 'can’t be added',
  repeated: 'repeated',
  not_understood: 'not understood',
};

export function reportCsv(place: EntryKind, findings: readonly Finding[]): string {
  const rows = findings.map(({ at, given, zip, outcome, reason }) => [
    at,
    given,
    zip,
    LABELS[outcome],
    reason,
  ]);
  return csvLines([[place, 'given', 'zip', 'outcome', 'reason'], ...rows]);
}
