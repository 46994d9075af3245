/** Formats the report of `import all` for a terminal. */
import type { ImportAllReport, PartReport } from '../../data/ingest/census-download/import-all.ts';
import { states } from '../../base/geodata/states.ts';
import { formatCount } from '../../base/text/words.ts';

export function importAllReportText(result: ImportAllReport): string {
  const { downloaded, present, bytesDownloaded } = result.files;
  const skipped = result.parts.flatMap((part) => part.skipped);
  const lines = [
    result.dryRun
      ? `Dry run of files of ${result.year}: nothing was changed.`
      : `Imported files of ${result.year} from the Census Bureau.`,
    '',
    ...result.parts.map((part) => partText(part, result.dryRun)),
    '',
    fact('states', statesText(result.states)),
    fact(
      'files',
      `${formatCount(downloaded)} downloaded (${(bytesDownloaded / 1e6).toFixed(1)} MB), ` +
        `${formatCount(present)} from earlier runs`,
    ),
  ];
  if (skipped.length > 0) {
    lines.push(
      fact(
        'skipped',
        `${formatCount(skipped.length)} files that aren’t published: ${listFew(skipped)}`,
      ),
    );
  }
  lines.push(fact('time', `${result.seconds.toFixed(1)} s`));
  if (result.parts.some(({ outcome }) => outcome === 'failed')) {
    lines.push('', 'Failed parts are unchanged. Run the command again to import them.');
  }
  return lines.join('\n');
}

function partText({ part, outcome, reason, report }: PartReport, dryRun: boolean): string {
  const head = `  ${part.padEnd(11)} `;
  if (outcome === 'failed') return `${head}failed: ${reason}`;
  if (outcome === 'kept') return `${head}kept: already imported from these files`;
  const rejected = report!.rejected.reduce((sum, { count }) => sum + count, 0);
  const what = `${dryRun ? 'would import' : 'imported'} ${formatCount(report!.kept)} ${UNIT[part] ?? part}`;
  const [mostly] = report!.rejected;
  return (
    `${head}${what}: ${report!.vintage}` +
    (mostly ? `. Rejected ${formatCount(rejected)}, mostly because ${mostly.reason}` : '')
  );
}

/** Units of counts that differ from the part's name */
const UNIT: Partial<Record<PartReport['part'], string>> = {
  boundaries: 'ZIP codes',
  figures: 'ZIP codes',
  water: 'waters',
  landuse: 'areas',
};

const fact = (name: string, value: string) => `  ${name.padEnd(11)} ${value}`;

function statesText(codes: ImportAllReport['states']): string {
  if (codes === 'all') return 'all';
  return states()
    .filter(({ fips }) => codes.includes(fips))
    .map(({ usps }) => usps)
    .join(', ');
}

/** Returns the first few names of a list. */
const listFew = (names: readonly string[]): string =>
  names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : '');
