/** The first territory of a new organization, proposed around its home ZIP code as sign-up asked for it. */
import { useEffect, useState } from 'preact/hooks';
import type { Draft, DraftTerritory } from './draft.ts';
import type { Market } from './market.ts';
import { verticalOf } from './measures.ts';
import { Refusal, solve } from './plan-requests.ts';
import { proposalOf } from './solve-dialog.tsx';
import { solveRequest, type SolveForm } from './solve-task.ts';
import { store, useStore } from './state.ts';

/** Households of a usual first territory */
const TARGET = 50_000;
const SECONDS = 5;

/** Takes the home ZIP code from the page's address: a reload must not pay for the proposal again. */
function takeHome(): string | null {
  const url = new URL(location.href);
  const home = url.searchParams.get('proposal') === 'first' ? url.searchParams.get('home') : null;
  url.searchParams.delete('proposal');
  url.searchParams.delete('home');
  history.replaceState(null, '', url);
  return home;
}

const asked = takeHome();

export function FirstProposal() {
  const [home, setHome] = useState(asked);
  const [refusal, setRefusal] = useState<string | null>(null);
  const market = useStore((state) => state.market);
  const isReady = home !== null && market !== null;
  useEffect(() => {
    if (!isReady) return;
    const run = new AbortController();
    const { draft, place, colorBy } = store.get();
    const show = async () => {
      try {
        const isShown = await propose(market, draft, place, home, colorBy, run.signal);
        setHome(null);
        if (!isShown) {
          setRefusal('Your brands already hold ZIP codes here, so there is no first proposal.');
        }
      } catch (error) {
        if (run.signal.aborted) return;
        setHome(null);
        setRefusal(error instanceof Refusal ? error.message : 'The solver failed. Try again.');
      }
    };
    void show();
    return () => run.abort();
  }, [isReady]);
  if (refusal !== null) {
    return (
      <section>
        <p class="refusal" role="alert">
          {refusal}
        </p>
      </section>
    );
  }
  if (home === null) return null;
  return (
    <section class="first-proposal">
      <p role="status">
        Proposing a territory around {home}, with about {TARGET.toLocaleString('en-US')} households…
      </p>
      <button type="button" class="quiet-button" onClick={() => setHome(null)}>
        Cancel
      </button>
    </section>
  );
}

/** @returns whether there is a brand to propose a territory for */
async function propose(
  market: Market,
  draft: Draft,
  place: string,
  home: string,
  colorBy: string,
  signal: AbortSignal,
): Promise<boolean> {
  const zip = market.numbers.get(home);
  if (zip === undefined) throw new Refusal(404, `${home} isn’t in ${market.label}.`);
  const own = draft.territories.find(({ brand, zips }) => brand !== null && zips.size === 0);
  if (!own || draft.territories.some(({ zips }) => zips.size > 0)) return false;
  const seeded: DraftTerritory = { ...own, zips: new Set([zip]) };
  const base: Draft = {
    territories: draft.territories.map((one) => (one === own ? seeded : one)),
  };
  const form: SolveForm = {
    ...{ task: 'grow', territory: own.number, target: TARGET, seconds: SECONDS },
    ...{ balance: 'households', vertical: verticalOf(colorBy) ?? 'roofing' },
    ...{ sizeBy: 'count', count: 1, minimum: 0, maximum: 0, keep: [], seeds: [], maxMiles: 0 },
    ...{ together: [], wholeCounties: false, excludeHeld: false },
  };
  const solution = await solve(solveRequest(market, place, base, form), signal, () => {});
  const proposal = proposalOf(market, draft, form, solution);
  store.update({ proposal: { ...proposal, title: `A first territory around ${home}` } });
  return true;
}
