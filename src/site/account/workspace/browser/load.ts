/** Loads a market and the territories to edit into the state. */
import { fetchJson, StatusError } from '../../../browser/map-view.ts';
import { config, pathWith } from './config.ts';
import { EMPTY_DRAFT, type Brand, type Draft } from './draft.ts';
import { numbersIn, readMarket, type Market, type MarketAnswer } from './market.ts';
import { NO_HISTORY } from './history.ts';
import { NO_ZIPS, store, type Source } from './state.ts';

interface LiveAnswer {
  territories: { brand: Brand; zips: string; pending: string }[];
}

/** What the workspace reads of a plan's answer */
interface PlanAnswer {
  id: string;
  name: string;
  version: number;
  territories: { number: number; name: string; brand: string | null; zips: string[] }[];
}

export interface LoadedDraft {
  source: Source;
  draft: Draft;
}

/** Shows a market with its territories. Whatever wasn't saved is gone. */
export async function openPlace(place: string): Promise<void> {
  store.update({
    ...{ place, market: null, problem: null, draft: EMPTY_DRAFT, saved: EMPTY_DRAFT },
    ...{ history: NO_HISTORY, selection: NO_ZIPS, hovered: null, outside: null, proposal: null },
  });
  const isCurrent = () => store.get().place === place;
  try {
    const answer = await fetchJson<MarketAnswer>(`${config().paths.market}?${place}`);
    if (!isCurrent()) return;
    const market = readMarket(answer);
    const { source, draft } = await loadDraft(place, market);
    if (isCurrent()) store.update({ market, source, draft, saved: draft });
  } catch (error) {
    if (isCurrent()) store.update({ problem: problemOf(error) });
  }
}

/** Loads the territories again, such as after a change was saved. */
export async function reloadDraft(): Promise<void> {
  const { place, market } = store.get();
  if (!market) return;
  const { source, draft } = await loadDraft(place, market);
  if (store.get().market !== market) return;
  store.update({ source, draft, saved: draft, history: NO_HISTORY });
}

export async function loadDraft(place: string, market: Market): Promise<LoadedDraft> {
  const plan = new URLSearchParams(place).get('plan');
  if (plan !== null) {
    return planDraft(await fetchJson<PlanAnswer>(pathWith(config().paths.plan, plan)), market);
  }
  return { source: { kind: 'live' }, draft: await loadLive(place, market) };
}

/** Loads what brands hold in a market, which may be a plan's. */
export async function loadLive(place: string, market: Market): Promise<Draft> {
  const { territories } = await fetchJson<LiveAnswer>(`${config().paths.live}?${place}`);
  return {
    territories: territories.map(({ brand, zips, pending }, i) => ({
      ...{ number: i + 1, name: brand.name, brand },
      zips: numbersIn(market, zips.split(' ')),
      pending: numbersIn(market, pending.split(' ')),
    })),
  };
}

/** A plan's answer names brands by their slugs. */
function planDraft({ id, name, version, territories }: PlanAnswer, market: Market): LoadedDraft {
  return {
    source: { kind: 'plan', id, name, version },
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

function problemOf(error: unknown): string {
  if (error instanceof StatusError) return error.message;
  return 'The service cannot be reached. Check the connection and reload the page.';
}
