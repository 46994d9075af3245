/** The totals, notes, and sources of an exhibit. */
import { BASEMAP_LAYERS } from '../../../data/basemap/features.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import { verticalBySlug, type VerticalSlug } from '../../../data/scoring/verticals.ts';
import { formatCount, formatTenths, joinFirst, pluralize } from '../../../base/text/words.ts';
import type { Totals } from '../zip-facts.ts';
import type { Total } from './content.ts';
import type { TerritoryState } from './state.ts';
import type { ExhibitMaps } from './maps.ts';
import { NO_BOUNDARY } from './tables.ts';

/** @param totals totals of the live ZIP codes */
export function exhibitTotals(
  totals: Totals,
  { live, pending, scheduled }: TerritoryState,
  vertical: VerticalSlug | null,
): Total[] {
  return [
    { label: 'Live ZIP codes', value: formatCount(live.length) },
    ...(pending.length > scheduled.length
      ? [{ label: 'Pending review', value: formatCount(pending.length - scheduled.length) }]
      : []),
    ...(scheduled.length > 0
      ? [{ label: 'Approved for later', value: formatCount(scheduled.length) }]
      : []),
    { label: 'Population', value: formatCount(totals.population) },
    { label: 'Households', value: formatCount(totals.households) },
    { label: 'Owner-occupied', value: formatCount(totals.ownerOccupiedHouseholds) },
    { label: 'Land, sq mi', value: formatTenths(totals.landAreaSqMi) },
    ...(vertical === null
      ? []
      : [
          {
            label: `Average ${verticalBySlug(vertical).label} score`,
            value: formatTenths(totals.averageScore),
          },
        ]),
  ];
}

/**
 * @param when after "the territory": `on 2026-11-22 (UTC)`
 * @param boundaries vintage of the boundaries that define the area; null: none do
 */
export function exhibitNotes(
  when: string,
  vertical: VerticalSlug | null,
  { missing, unlabeled }: Pick<ExhibitMaps, 'missing' | 'unlabeled'>,
  hasTerms = false,
  boundaries: string | null = null,
): string[] {
  return [
    `This exhibit documents the territory ${when}. The list of ZIP codes defines the territory; the maps illustrate it.`,
    'Maps show the Census Bureau’s ZIP Code Tabulation Areas, which approximate the delivery areas of ZIP codes.',
    ...(boundaries === null
      ? []
      : [
          `The area of the territory is that of its ZIP codes as of ${boundaries}, whatever later changes.`,
        ]),
    'Totals cover live ZIP codes. Owner-occupied counts households. A dash means that the figure is unknown; unknown figures count as 0 in totals.',
    ...(vertical === null
      ? []
      : [
          `A ${verticalBySlug(vertical).label} score of 83 means that a ZIP code fits better than about 83% of all scored ZIP codes.`,
        ]),
    ...(hasTerms
      ? [
          'The kind of grant and the last day are those of the agreement, where stated. Exclusive: nobody else serves the ZIP code. Protected: it is granted to nobody else. Non-exclusive: others may have it, too.',
        ]
      : []),
    ...(missing.length === 0
      ? []
      : [
          `${NO_BOUNDARY} ${pluralize(missing.length, 'ZIP code')} without a boundary, which no map shows: ${joinFirst(missing)}.`,
        ]),
    ...(unlabeled === 0
      ? []
      : [
          `${pluralize(unlabeled, 'ZIP code')} on the first map ${unlabeled === 1 ? 'has' : 'have'} no label for lack of room.`,
        ]),
  ];
}

/** Returns datasets with their vintages. The layers of the basemap are one dataset. */
export async function exhibitSources(
  db: Queryable,
  vertical: VerticalSlug | null,
): Promise<[name: string, vintage: string][]> {
  const facts = await readDatasets(db);
  const vintage = (name: Parameters<typeof facts.get>[0]) => facts.get(name)?.vintage;
  const basemap = new Set(BASEMAP_LAYERS.flatMap((name) => vintage(name)?.split(', ') ?? []));
  const named: [string, string | undefined][] = [
    ['Boundaries', vintage('boundaries')],
    ['Figures', vintage('demographics')],
    ['Scores', vertical === null ? undefined : vintage('scores')],
    ['Basemap', [...basemap].join(', ') || undefined],
  ];
  return named.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
}
