/** The columns of the export formats: those of every export, and a territory's data sets. */
import { CENSUS_FIGURES } from '../../../data/ingest/demographics.ts';
import type { FullDataSet } from '../../own-data/data-sets.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { CHANGED_FIGURES, type ExportedZip, type ExportSources } from './zips.ts';

export type ExportValue = string | number | boolean | null;

/** `time` is in ISO 8601. An `integer` has no decimals, and a `number` has one. */
export type ColumnType = 'text' | 'flag' | 'integer' | 'number' | 'time';

export interface ExportColumn {
  name: string;
  type: ColumnType;
  value(zip: ExportedZip, sources: ExportSources): ExportValue;
}

export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  column('zip', 'text', ({ zip }) => zip),
  column('city', 'text', ({ city }) => city),
  column('state', 'text', ({ state }) => state),
  column('county', 'text', ({ county }) => county),
  column('countyFips', 'text', ({ countyFips }) => countyFips),
  column('status', 'text', ({ status }) => status),
  column('shared', 'flag', ({ shared }) => shared),
  column('sharedWith', 'text', ({ sharedWith }) => sharedWith.join(' ') || null),
  column('isolated', 'flag', ({ isolated }) => isolated),
  column('hasBoundary', 'flag', ({ hasBoundary }) => hasBoundary),
  column('changedAt', 'time', ({ changedAt }) => changedAt.toISOString()),
  ...CENSUS_FIGURES.map((name) =>
    column(
      name,
      name.endsWith('Pct') || name === 'medianAge' ? 'number' : 'integer',
      ({ demographics }) => demographics?.[name] ?? null,
    ),
  ),
  ...CHANGED_FIGURES.flatMap((figure) => [
    column(`${figure}ChangePct`, 'number', ({ changes }) => tenths(changes.get(figure)?.change)),
    column(`${figure}ChangeMargin`, 'number', ({ changes }) => tenths(changes.get(figure)?.margin)),
    column(`${figure}ChangeClear`, 'flag', ({ changes }) => {
      const change = changes.get(figure);
      return change === undefined || change.change === null ? null : change.isClear;
    }),
  ]),
  column(
    'changesSince',
    'integer',
    ({ changes }) => changes.get('householdsTotal')?.fromYear ?? null,
  ),
  ...VERTICALS.map(({ slug }) =>
    column(`${camelCase(slug)}Score`, 'integer', ({ scores }) => scores[slug] ?? null),
  ),
  column('demographicsVintage', 'text', ({ demographics }) => demographics?.sourceVintage ?? null),
  column('scoresVintage', 'text', ({ hasFigures }, { scores }) => (hasFigures ? scores : null)),
  column('boundariesVintage', 'text', ({ hasBoundary }, { boundaries }) =>
    hasBoundary ? boundaries : null,
  ),
];

const tenths = (value: number | null | undefined) =>
  value === null || value === undefined ? null : Math.round(10 * value) / 10;

/** Returns a column for each data set. ZIP codes without an amount have none in the file, either. */
export const dataColumns = (sets: readonly FullDataSet[]): ExportColumn[] =>
  ownNames(
    sets,
    EXPORT_COLUMNS.map(({ name }) => name),
  ).map((name, i) => column(name, 'number', ({ zip }) => sets[i]!.amounts.get(zip) ?? null));

/** Returns the names of data sets as columns next to others, which may have the same names. */
export function ownNames(
  sets: readonly Pick<FullDataSet, 'name'>[],
  others: readonly string[],
): string[] {
  const taken = new Set(others.map((name) => name.toLowerCase()));
  return sets.map(({ name }) => {
    let own = name;
    while (taken.has(own.toLowerCase())) own += ' (own data)';
    taken.add(own.toLowerCase());
    return own;
  });
}

function column(name: string, type: ColumnType, value: ExportColumn['value']): ExportColumn {
  return { name, type, value };
}

/** Converts `windows-siding` to `windowsSiding`. */
function camelCase(slug: string): string {
  return slug.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
