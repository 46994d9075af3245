/** The report of an import as a table, to be kept or worked through in a spreadsheet. */
import { csvLine } from '../../csv.ts';
import type { Finding, Outcome, Place } from './finding.ts';

const WORDS: Readonly<Record<Outcome, string>> = {
  new: 'understood',
  guessed: 'guessed',
  held: 'already held',
  unknown: 'ZIP without an area',
  repeated: 'repeated',
  not_understood: 'not understood',
};

export function reportCsv(place: Place, findings: readonly Finding[]): string {
  const rows = findings.map(({ at, given, zip, outcome, reason }) => [
    ...[at, given, zip],
    ...[WORDS[outcome], reason],
  ]);
  return [[place, 'given', 'zip', 'outcome', 'reason'], ...rows].map(csvLine).join('');
}
