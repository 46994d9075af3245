/** The columns of every export format. */
import { CENSUS_FIGURES } from '../../ingest/demographics.ts';
import { VERTICALS } from '../../scoring/verticals.ts';
import type { ExportedZip, ExportSources } from './zips.ts';

export type ExportValue = string | number | boolean | null;

export interface ExportColumn {
  name: string;
  value(zip: ExportedZip, sources: ExportSources): ExportValue;
}

export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  column('zip', ({ zip }) => zip),
  column('city', ({ city }) => city),
  column('state', ({ state }) => state),
  column('county', ({ county }) => county),
  column('countyFips', ({ countyFips }) => countyFips),
  column('status', ({ status }) => status),
  column('shared', ({ shared }) => shared),
  column('sharedWith', ({ sharedWith }) => sharedWith.join(' ') || null),
  column('isolated', ({ isolated }) => isolated),
  column('hasBoundary', ({ hasBoundary }) => hasBoundary),
  column('changedAt', ({ changedAt }) => changedAt.toISOString()),
  ...CENSUS_FIGURES.map((name) => column(name, ({ demographics }) => demographics?.[name] ?? null)),
  ...VERTICALS.map(({ slug }) =>
    column(`${camelCase(slug)}Score`, ({ scores }) => scores[slug] ?? null),
  ),
  column('demographicsVintage', ({ demographics }) => demographics?.sourceVintage ?? null),
  column('scoresVintage', ({ hasFigures }, { scores }) => (hasFigures ? scores : null)),
  column('boundariesVintage', ({ hasBoundary }, { boundaries }) =>
    hasBoundary ? boundaries : null,
  ),
];

function column(name: string, value: ExportColumn['value']): ExportColumn {
  return { name, value };
}

/** Converts `windows-siding` to `windowsSiding`. */
function camelCase(slug: string): string {
  return slug.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
