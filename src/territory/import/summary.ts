/** The part of an import's report that its page shows. */
import type { Finding, Outcome, Place } from '../../lists/finding.ts';
import type { ImportReport } from './read-import.ts';

export interface ImportSummary extends Pick<
  ImportReport,
  'place' | 'summary' | 'columns' | 'zips' | 'guesses' | 'shared'
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
  const { place, summary, columns, findings, zips, guesses, shared } = report;
  const counts: ImportSummary['counts'] = {};
  for (const { outcome } of findings) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const notable = notableFindings(place, findings);
  return {
    ...{ place, summary, columns, zips, guesses, shared, counts },
    notable: notable.slice(0, MAX_NOTABLE),
    notableCount: notable.length,
  };
}

/** Returns the findings that need attention. New ZIP codes of an area don't. */
function notableFindings(place: Place, findings: readonly Finding[]): Finding[] {
  return findings
    .filter(({ outcome, reason }) => outcome !== 'new' || (place === 'line' && reason !== null))
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
