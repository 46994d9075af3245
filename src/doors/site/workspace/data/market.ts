/** A market as JSON: places, borders, and figures of its ZIP codes. */
import type { Caller } from '../../../../people/account/caller.ts';
import { PreparedAnswer } from '../../../../base/contract/prepared.ts';
import type { Database, Queryable } from '../../../../base/db/database.ts';
import { bridgesOnMap } from '../../../../territories/design/bridges.ts';
import { loadMap } from '../../../../territories/design/load.ts';
import {
  countUnseenZips,
  figuresMeterOf,
  figuresOrReason,
  isWithheld,
  type LimitReason,
} from '../../../../people/metering/figures.ts';
import {
  amountColumns,
  type AmountColumn,
} from '../../../../territories/own-data/amount-columns.ts';
import { placesOfZips } from '../../../../data/market/zips.ts';
import { bboxOfZips } from '../../../../territories/brands/map-zips.ts';
import type { MemberData } from '../../framework/data.ts';
import type { MarketAnswer } from '../browser/market.ts';
import { formatCount, pluralize } from '../../../../base/text/words.ts';
import { changeColumns } from './change-columns.ts';
import { figureColumns } from './columns.ts';
import { readPlace, type MappedPlace } from './place.ts';

export const marketRoute: MemberData = {
  audience: 'member',
  path: '/account/map/market.json',
  prepared: true,
  async answer({ db, caller, query }) {
    const place = await readPlace(caller, query);
    const { id, label, zips } = place;
    const { tenant } = caller;
    const question = query.get('figures') === 'yes' ? null : await figuresQuestion(caller, place);
    const [ground, bbox, figures, changes, dataSets] = await Promise.all([
      loadGround(db, tenant.common, zips),
      bboxOfZips(tenant.common, zips),
      question ?? figuresOrReason(() => figureColumns(db, caller, zips)),
      question ?? figuresOrReason(() => changeColumns(caller, zips)),
      amountColumns(caller, zips),
    ]);
    const answer: MarketAnswer = {
      id,
      label,
      bbox,
      zips: zips.join(' '),
      ...ground,
      columns: isWithheld(figures) || isWithheld(changes) ? {} : { ...figures, ...changes.columns },
      changePeriods: isWithheld(changes) ? null : changes.periods,
      dataSets: dataSets.map(forPage),
      withheld: isWithheld(figures) ? figures.withheld : null,
      asksForFigures: question !== null,
    };
    return { body: new PreparedAnswer(JSON.stringify(answer)) };
  },
};

/** Only means need the numbers of rows. */
const forPage = ({ rows, ...set }: AmountColumn) => ({
  ...set,
  rows: set.addsUp === 'mean' ? rows : null,
});

/** If figures would use up a larger share of the month's ZIP codes, the viewer is asked first. */
const ASKED_SHARE = 0.25;

/**
 * Returns how much of the month's ZIP codes the figures would use up, or null if there is no need to ask.
 */
async function figuresQuestion(
  caller: Caller,
  { label, zips }: MappedPlace,
): Promise<LimitReason | null> {
  const { monthlyZips } = caller.subscription;
  if (monthlyZips === null) return null;
  const unseen = await countUnseenZips(caller, zips);
  if (unseen <= ASKED_SHARE * monthlyZips) return null;
  const { zipsRemaining } = await figuresMeterOf(caller);
  // A request for too many is refused with a reason.
  if (unseen > zipsRemaining!) return null;
  return {
    withheld:
      `Showing the figures for ${label} would use ${formatCount(unseen)} of the ` +
      `${pluralize(zipsRemaining!, 'ZIP code')} that your subscription has left this month.`,
  };
}

type Ground = Omit<
  MarketAnswer,
  | 'id'
  | 'label'
  | 'bbox'
  | 'zips'
  | 'columns'
  | 'dataSets'
  | 'changePeriods'
  | 'withheld'
  | 'asksForFigures'
>;

/** Loads everything except figures: positions, sizes, borders, and places. */
async function loadGround(
  db: Database,
  common: Queryable,
  zips: readonly string[],
): Promise<Ground> {
  const [map, places] = await Promise.all([loadMap(db, zips), placesOfZips(common, zips)]);
  // ZIP codes with an unknown position aren't on the map.
  const indexOf = new Map(map.zips.map((zip, i) => [zip, i]));
  const numberOf = new Map(zips.map((zip, i) => [zip, i]));
  const at = (column: Float64Array, zip: string, digits: number) => {
    const index = indexOf.get(zip);
    return index === undefined ? null : roundTo(column[index]!, digits);
  };
  return {
    lon: zips.map((zip) => at(map.lng, zip, 5)),
    lat: zips.map((zip) => at(map.lat, zip, 5)),
    areaKm2: zips.map((zip) => roundTo((at(map.areasM2, zip, 0) ?? 0) / 1e6, 3)),
    perimeterKm: zips.map((zip) => roundTo((at(map.perimetersM, zip, 0) ?? 0) / 1000, 3)),
    ...bordersOf(map, numberOf, zips.length),
    bridges: bridgesOnMap(map).map(([a, b]) => [
      numberOf.get(map.zips[a]!)!,
      numberOf.get(map.zips[b]!)!,
    ]),
    ...dictionary(
      'placeNames',
      'places',
      zips.map((zip) => places.get(zip)?.place ?? ''),
    ),
    ...dictionary(
      'countyCodes',
      'counties',
      zips.map((zip) => places.get(zip)?.countyFips ?? ''),
    ),
  };
}

const roundTo = (value: number, digits: number) => Number(value.toFixed(digits));

/** Lists each pair in both directions */
function bordersOf(
  { zips, pairs }: Awaited<ReturnType<typeof loadMap>>,
  numberOf: ReadonlyMap<string, number>,
  count: number,
) {
  const lists: [neighbor: number, km: number][][] = Array.from({ length: count }, () => []);
  for (const [i, a] of pairs.a.entries()) {
    const [from, to] = [numberOf.get(zips[a]!)!, numberOf.get(zips[pairs.b[i]!]!)!];
    const km = roundTo(pairs.bordersM[i]! / 1000, 3);
    lists[from]!.push([to, km]);
    lists[to]!.push([from, km]);
  }
  return {
    neighborCounts: lists.map((list) => list.length),
    neighbors: lists.flatMap((list) => list.map(([neighbor]) => neighbor)),
    borderKm: lists.flatMap((list) => list.map(([, km]) => km)),
  };
}

/** Sends each name once, because a market has few different names. */
function dictionary<Names extends string, Indexes extends string>(
  names: Names,
  indexes: Indexes,
  values: readonly string[],
) {
  const indexOf = new Map<string, number>();
  const list = values.map((value) => {
    const index = indexOf.get(value) ?? indexOf.size;
    indexOf.set(value, index);
    return index;
  });
  return { [names]: [...indexOf.keys()], [indexes]: list } as Record<Names, string[]> &
    Record<Indexes, number[]>;
}
