/** The tables of an exhibit: live, pending, and removed ZIP codes. */
import type { Queryable } from '../../../base/db/database.ts';
import { verticalBySlug, type VerticalSlug } from '../../../data/scoring/verticals.ts';
import { pluralize } from '../../../base/text/words.ts';
import { SQUARE_METERS_PER_SQUARE_MILE } from '../../../base/spatial/miles.ts';
import { totalOf, type FullDataSet } from '../../own-data/data-sets.ts';
import { zipFacts, type Totals, type ZipFacts } from '../zip-facts.ts';
import type { Cell, Column, ExhibitChange, ExhibitChanges, ExhibitTable, Rows } from './content.ts';
import { grantWord } from '../terms/terms.ts';
import type { DatedZip, ExhibitTerms, TerritoryState } from './state.ts';

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

const TERMS_COLUMNS: readonly Column[] = [
  { title: 'Grant', width: 21, kind: 'text' },
  { title: 'Through', width: 18, kind: 'text' },
];

const count = (title: string): Column => ({ title, width: 21, kind: 'count' });

/** Amounts with decimals, such as means, keep one. */
const dataColumn = ({ name, amounts }: FullDataSet): Column => ({
  ...count(name),
  kind: [...amounts.values()].every(Number.isInteger) ? 'count' : 'tenths',
});

export function exhibitTables(
  db: Queryable,
  { live, pending, removed, scheduled, leaving }: TerritoryState,
  totals: Totals,
  vertical: VerticalSlug | null,
  missing: ReadonlySet<string>,
  {
    data,
    terms,
    changes,
  }: { data: readonly FullDataSet[]; terms: ExhibitTerms; changes: ExhibitChanges | null },
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

  const changesTable = (given: ExhibitChanges): TableSource => {
    const source = tableOf(
      { title: `Changes since ${given.since}`, text: changesText(given), total: null },
      given.zips.map(({ zip }) => zip),
      [
        { title: 'Change', width: 20, kind: 'text' },
        { title: 'From or to', width: 45, kind: 'text' },
        count('Households'),
      ],
      (_, i) => {
        const { isTaken, others, households } = given.zips[i]!;
        return [isTaken ? 'Taken' : 'Given up', others.join(', '), households];
      },
    );
    return { ...source, table: { ...source.table, hasOwnPage: true } };
  };

  const isScheduled = new Set(scheduled.map(({ zip }) => zip));
  const requested = pending.filter(({ zip }) => !isScheduled.has(zip));
  const termsCells = (zip: string): Cell[] => {
    const own = terms.get(zip);
    return [grantWord(own?.granted ?? null) ?? '', own?.endsOn ?? ''];
  };

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
          ...(terms.size > 0 ? ['', ''] : []),
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
        ...(terms.size > 0 ? TERMS_COLUMNS : []),
      ],
      ({ zip, population, households, ownerOccupiedHouseholds, landAreaM2, score }) => [
        population,
        households,
        ownerOccupiedHouseholds,
        landAreaM2 === null ? null : landAreaM2 / SQUARE_METERS_PER_SQUARE_MILE,
        ...(vertical === null ? [] : [score]),
        ...data.map(({ amounts }) => amounts.get(zip) ?? null),
        ...(terms.size > 0 ? termsCells(zip) : []),
      ],
    ),
    datedTable(
      'Effective later',
      `Approved: ${pluralize(scheduled.length, 'ZIP code')}. Each is part of the territory from its day on, not before.`,
      'Effective from',
      scheduled,
    ),
    datedTable(
      'Leaves later',
      `${pluralize(leaving.length, 'ZIP code')} ${leaving.length === 1 ? 'is' : 'are'} part of the territory until the day given, when ${leaving.length === 1 ? 'it leaves' : 'they leave'} it.`,
      'Leaves on',
      leaving,
    ),
    datedTable(
      'Pending review',
      `Requested: ${pluralize(requested.length, 'ZIP code')}. None is part of the territory unless a reviewer approves it.`,
      'Requested on',
      requested,
    ),
    datedTable(
      'Removed',
      `${pluralize(removed.length, 'ZIP code')} left the territory.`,
      'Removed on',
      removed,
    ),
    ...(changes ? [changesTable(changes)] : []),
  ].filter(({ table }) => table.rows > 0 || table.hasOwnPage);
}

/** Sums up what changed: `Taken: 12 ZIP codes with 81,200 households.` */
function changesText({ zips, withheld }: ExhibitChanges): string {
  const sum = (which: readonly ExhibitChange[]) => {
    const households = which.reduce((total, one) => total + (one.households ?? 0), 0);
    const figures = withheld === null ? ` with ${pluralize(households, 'household')}` : '';
    return `${pluralize(which.length, 'ZIP code')}${figures}`;
  };
  return (
    `Taken: ${sum(zips.filter(({ isTaken }) => isTaken))}. ` +
    `Given up: ${sum(zips.filter(({ isTaken }) => !isTaken))}. ` +
    'What the brand gave up and took again in between is not listed.' +
    (withheld === null ? '' : ` ${withheld}`)
  );
}
