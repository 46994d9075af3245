/** Loads a market and the territories to edit into the state. */
import { isBusy, RETRIES_MS } from '../../browser/busy.ts';
import { config } from './config.ts';
import { EMPTY_DRAFT, type Brand, type Draft, type PlannedPart } from './territories/draft.ts';
import { numbersIn, readMarket, type Market, type MarketAnswer } from './market.ts';
import { NO_HISTORY } from './territories/history.ts';
import type { MapPlace } from '../../../../maps/cartography/place-pins.ts';
import type { ZipRefusals } from './territories/refusals.ts';
import { readPlan, type FullPlan } from './plans/plan-requests.ts';
import { getJson, messageOf, Refusal } from './requests.ts';
import { NO_ZIPS, store, type PlanSource, type Source, type WorkspaceState } from './state.ts';
import { dataSlugOf, scoreOf } from './measures.ts';
import { balanceIn } from './territories/figures.ts';

interface LiveAnswer {
  territories: {
    brand: Brand;
    zips: string;
    pending: string;
    /** What changes that wait plan, by day; empty on earlier days */
    planned: { on: string | null; part: PlannedPart['part']; zips: string }[];
  }[];
}

interface RefusalsAnswer {
  refusals: (Omit<ZipRefusals, 'zips'> & { zips: string })[];
}

interface LoadedDraft {
  source: Source;
  draft: Draft;
}

/** Shows a market with its territories. Unsaved changes are lost. */
export async function openPlace(place: string): Promise<void> {
  store.update({
    place,
    market: null,
    problem: null,
    draft: EMPTY_DRAFT,
    saved: EMPTY_DRAFT,
    history: NO_HISTORY,
    selection: NO_ZIPS,
    hovered: null,
    outside: null,
    proposal: null,
    past: null,
    refusals: [],
  });
  const isCurrent = () => store.get().place === place;
  try {
    const [answer, draftIn] = await withRetries(isCurrent, () =>
      Promise.all([
        getJson<MarketAnswer>(`${config().paths.market}?${place}`),
        requestDraft(place),
      ]),
    );
    if (!isCurrent()) return;
    const market = readMarket(answer);
    const { source, draft } = draftIn(market);
    store.update({ market, source, draft, saved: draft, ...measuresOf(market, source) });
    await loadRefusals(place, market);
  } catch (error) {
    if (isCurrent()) store.update({ problem: messageOf(error) });
  }
}

/** Loads from a service that may be busy, since nothing works without the market. */
async function withRetries<T>(isWanted: () => boolean, load: () => Promise<T>): Promise<T> {
  for (const waitMs of RETRIES_MS) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof Refusal && isBusy(error.status) && isWanted())) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return load();
}

type Measures = Pick<WorkspaceState, 'balance' | 'colorBy'>;

/** The balance of a plan, and only measures that the market has */
const measuresOf = (market: Market, source: Source): Measures => ({
  ...knownMeasures(market, source),
  ...(source.kind === 'plan' && { balance: source.balance }),
});

/** The viewer's choices, if the market has these measures */
function knownMeasures(market: Market, source: Source): Measures {
  const { balance, colorBy } = store.get();
  const isKnown = dataSlugOf(colorBy) === null || market.columns.has(colorBy);
  return {
    balance: balanceIn(market, balance, source.kind === 'plan' ? source.balance : 'households'),
    colorBy: isKnown ? colorBy : scoreOf(config().verticals[0]!.slug),
  };
}

/**
 * Reloads the columns of the market, to add figures that were withheld, or because the data sets have
 * changed. The draft stays.
 * @param asks whether the viewer agrees to use up much of the monthly limit
 * @throws Refusal
 */
export async function reloadColumns(asks: boolean): Promise<void> {
  const { place, market } = store.get();
  if (!market) return;
  const query = asks ? `${place}&figures=yes` : place;
  const answer = await getJson<MarketAnswer>(`${config().paths.market}?${query}`);
  const now = store.get();
  // The market may have other columns by now, but the same ZIP codes.
  if (now.market?.zips !== market.zips) return;
  const { zips, columns, dataSets, withheld, asksForFigures } = readMarket(answer);
  // After an import, the draft's numbers would refer to other ZIP codes.
  if (zips.join() !== market.zips.join())
    throw new Refusal(409, 'The ZIP codes have changed. Reload the page.');
  const updated = { ...now.market, columns, dataSets, withheld, asksForFigures };
  store.update({ market: updated, ...knownMeasures(updated, now.source) });
}

/** Reloads the territories, for example after a change was saved. */
export async function reloadDraft(): Promise<void> {
  const { place, market } = store.get();
  if (!market) return;
  const { source, draft } = await loadDraft(place, market);
  if (store.get().market?.zips !== market.zips) return;
  store.update({ draft, saved: draft, history: NO_HISTORY });
  await followSource(source);
  await loadRefusals(place, market);
}

/** Loads the organization's places. Without them, the map works. */
export async function loadPlaces(): Promise<void> {
  const answer = await getJson<{ places: MapPlace[] }>(config().paths.places).catch(() => null);
  if (answer) store.update({ places: answer.places });
}

/** Loads what rules of groups refuse. Without it, the map works, and the rules apply when changes are saved. */
async function loadRefusals(place: string, market: Market): Promise<void> {
  const answer = await getJson<RefusalsAnswer>(`${config().paths.refusals}?${place}`).catch(
    () => null,
  );
  if (!answer || store.get().market?.zips !== market.zips) return;
  store.update({
    refusals: answer.refusals.map(({ zips, ...refusal }) => ({
      ...refusal,
      zips: numbersIn(market, zips.split(' ')),
    })),
  });
}

/**
 * Shows the version of the source that someone else saved. Its balance may be a measure that was uploaded
 * in the meantime.
 * @throws Refusal
 */
export async function followSource(source: Source): Promise<void> {
  const { market, source: before } = store.get();
  if (!market) return;
  const isSame =
    source.kind === before.kind &&
    (source.kind === 'live' || source.balance === (before as PlanSource).balance);
  store.update({ source, ...(!isSame && measuresOf(market, source)) });
  if (source.kind === 'plan' && balanceIn(market, source.balance) !== source.balance)
    await reloadColumns(false);
}

export const loadDraft = async (place: string, market: Market): Promise<LoadedDraft> =>
  (await requestDraft(place))(market);

/** Loads the live territories in a market, which may be a plan's. */
export const loadLive = async (place: string, market: Market): Promise<Draft> =>
  liveDraft(await requestLive(place), market);

/**
 * Requests the territories of a place. Returns a function that reads them with the numbers of its market.
 */
async function requestDraft(place: string): Promise<(market: Market) => LoadedDraft> {
  const id = new URLSearchParams(place).get('plan');
  if (id !== null) {
    const plan = await readPlan(id);
    return (market) => planDraft(plan, market);
  }
  const live = await requestLive(place);
  return (market) => ({ source: { kind: 'live' }, draft: liveDraft(live, market) });
}

const requestLive = (place: string) => getJson<LiveAnswer>(`${config().paths.live}?${place}`);

const liveDraft = ({ territories }: LiveAnswer, market: Market): Draft => ({
  territories: territories.map(({ brand, zips, pending, planned }, i) => ({
    number: i + 1,
    name: brand.name,
    brand,
    zips: numbersIn(market, zips.split(' ')),
    pending: numbersIn(market, pending.split(' ')),
    planned: new Map(
      planned.flatMap(({ on, part, zips: some }) =>
        [...numbersIn(market, some.split(' '))].map((zip) => [zip, { on, part }] as const),
      ),
    ),
  })),
});

/** Plans refer to brands by their slugs. */
export function planDraft(
  { id, name, version, balance: given, vertical, territories }: FullPlan,
  market: Market,
): LoadedDraft & { source: PlanSource } {
  const balance = balanceIn(market, given, given);
  return {
    source: { kind: 'plan', id, name, version, balance, vertical },
    draft: {
      territories: territories.map((territory) => ({
        number: territory.number,
        name: territory.name,
        brand: config().brands.find(({ slug }) => slug === territory.brand) ?? null,
        zips: numbersIn(market, territory.zips),
        pending: NO_ZIPS,
      })),
    },
  };
}
