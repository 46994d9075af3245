/** The report of an import as CSV. */
import { csvLines } from '../../text/csv.ts';
import type { Finding, Outcome, Place } from '../../lists/finding.ts';

const LABELS: Readonly<Record<Outcome, string>> = {
  new: 'understood',
  guessed: 'guessed',
  held: 'already held',
  unknown: 'can’t be added',
  repeated: 'repeated',
  not_understood: 'not understood',
};

export function reportCsv(place: Place, findings: readonly Finding[]): string {
  const rows = findings.map(({ at, given, zip, outcome, reason }) => [
    ...[at, given, zip],
    ...[LABELS[outcome], reason],
  ]);
  return csvLines([[place, 'given', 'zip', 'outcome', 'reason'], ...rows]);
}
