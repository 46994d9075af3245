/** The tables of an exhibit: live, pending, and removed ZIP codes. */
import type { Queryable } from '../../../base/db/database.ts';
import { verticalBySlug, type VerticalSlug } from '../../../data/scoring/verticals.ts';
import { pluralize } from '../../../base/text/words.ts';
import { SQUARE_METERS_PER_SQUARE_MILE } from '../../../base/spatial/miles.ts';
import { totalOf, type FullDataSet } from '../../own-data/data-sets.ts';
import { zipFacts, type Totals, type ZipFacts } from '../zip-facts.ts';
import type { Cell, Column, ExhibitTable, Rows } from './content.ts';
import type { DatedZip, TerritoryState } from './state.ts';

interface TableSource {
  table: ExhibitTable;
  /** Reads the next rows. It reads only a few, so other requests run in between. */
  rowsFrom(from: number): Promise<Rows>;
}

const SLICE_ROWS = 500;

/** Mark of a ZIP code without a boundary */
export const NO_BOUNDARY = '*';

const PLACE_COLUMNS: readonly Column[] = [
  { title: 'ZIP code', width: 13, kind: 'text' },
  { title: 'City', width: 32, kind: 'text' },
  { title: 'State', width: 10, kind: 'text' },
];

const count = (title: string): Column => ({ title, width: 21, kind: 'count' });

/** Amounts with decimals, such as means, keep one. */
const dataColumn = ({ name, amounts }: FullDataSet): Column => ({
  ...count(name),
  kind: [...amounts.values()].every(Number.isInteger) ? 'count' : 'tenths',
});

export function exhibitTables(
  db: Queryable,
  { live, pending, removed }: TerritoryState,
  totals: Totals,
  vertical: VerticalSlug | null,
  missing: ReadonlySet<string>,
  data: readonly FullDataSet[],
): TableSource[] {
  const place = ({ zip, city, state }: ZipFacts): Cell[] => [
    missing.has(zip) ? zip + NO_BOUNDARY : zip,
    city ?? '',
    state ?? '',
  ];
  const tableOf = (
    table: Omit<ExhibitTable, 'rows' | 'columns'>,
    zips: readonly string[],
    columns: readonly Column[],
    figures: (facts: ZipFacts, index: number) => Cell[],
  ): TableSource => ({
    table: { ...table, rows: zips.length, columns: [...PLACE_COLUMNS, ...columns] },
    async rowsFrom(from) {
      const slice = zips.slice(from, from + SLICE_ROWS);
      const facts = await zipFacts(db, slice, vertical);
      return facts.map((one, i) => [...place(one), ...figures(one, from + i)]);
    },
  });
  const datedTable = (title: string, text: string, day: string, zips: readonly DatedZip[]) =>
    tableOf(
      { title, text, total: null },
      zips.map(({ zip }) => zip),
      [{ title: day, width: 60, kind: 'text' }],
      (_, i) => [zips[i]!.day],
    );

  const score = vertical === null ? [] : [count(`${verticalBySlug(vertical).label} score`)];
  return [
    tableOf(
      {
        title: 'ZIP codes of the territory',
        text: `The territory consists of ${pluralize(live.length, 'live ZIP code')}.`,
        total: [
          'Total',
          '',
          '',
          totals.population,
          totals.households,
          totals.ownerOccupiedHouseholds,
          totals.landAreaSqMi,
          ...(vertical === null ? [] : ['']),
          ...data.map((set) => totalOf(set, live)),
        ],
      },
      live,
      [
        count('Population'),
        count('Households'),
        count('Owner-occupied'),
        { ...count('Land, sq mi'), kind: 'tenths' as const },
        ...score,
        ...data.map(dataColumn),
      ],
      ({ zip, population, households, ownerOccupiedHouseholds, landAreaM2, score }) => [
        population,
        households,
        ownerOccupiedHouseholds,
        landAreaM2 === null ? null : landAreaM2 / SQUARE_METERS_PER_SQUARE_MILE,
        ...(vertical === null ? [] : [score]),
        ...data.map(({ amounts }) => amounts.get(zip) ?? null),
      ],
    ),
    datedTable(
      'Pending review',
      `Requested: ${pluralize(pending.length, 'ZIP code')}. None is part of the territory unless a reviewer approves it.`,
      'Requested on',
      pending,
    ),
    datedTable(
      'Removed',
      `${pluralize(removed.length, 'ZIP code')} left the territory.`,
      'Removed on',
      removed,
    ),
  ].filter(({ table }) => table.rows > 0);
}
