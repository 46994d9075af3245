/** Proposes the first territory of a new organization, around the home ZIP code that was entered at sign-up. */
import { useEffect, useState } from 'preact/hooks';
import { RefusalText } from '../controls/attempt.tsx';
import { config } from '../config.ts';
import {
  canPropose,
  describeFirstTerritory,
  firstTerritoryForm,
  firstTerritoryIn,
  withHome,
} from './first-territory.ts';
import { bboxOf, type Bbox, type Market } from '../market.ts';
import { verticalOf } from '../measures.ts';
import { solve } from '../plans/plan-requests.ts';
import { messageOf, Refusal } from '../requests.ts';
import { proposalOf } from './solve-dialog.tsx';
import { solveRequest } from './solve-task.ts';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';

/**
 * Removes the home ZIP code from the page's address and returns it, so that reloading the page or reopening the
 * panel doesn't pay for another proposal.
 */
function takeHome(): string | null {
  const url = new URL(location.href);
  const home = url.searchParams.get('proposal') === 'first' ? url.searchParams.get('home') : null;
  url.searchParams.delete('proposal');
  url.searchParams.delete('home');
  history.replaceState(null, '', url);
  return home;
}

let asked = takeHome();

/** Returns whether the page opens with a proposal. */
export const isFirstRun = asked !== null;

export function FirstProposal({ fly }: { fly: (bbox: Bbox) => void }) {
  const [home, setHome] = useState(asked);
  const [refusal, setRefusal] = useState<string | null>(null);
  const market = useStore((state) => state.market);
  const isReady = home !== null && canPropose(market);
  useEffect(() => {
    if (!isReady) return;
    asked = null;
    const run = new AbortController();
    propose(market!, home, fly, run.signal)
      .catch((error: unknown) => {
        if (run.signal.aborted) return;
        setRefusal(messageOf(error, 'The solver failed. Try again.'));
      })
      .finally(() => setHome(null));
    return () => run.abort();
  }, [isReady]);
  if (refusal !== null) {
    return (
      <section class="first-proposal">
        <RefusalText>{refusal}</RefusalText>
        <button type="button" class="quiet-button" onClick={() => setRefusal(null)}>
          Close
        </button>
      </section>
    );
  }
  if (home === null) return null;
  return (
    <section class="first-proposal">
      <p role="status">
        {market?.asksForFigures
          ? `Show the figures to get a proposal for a first territory around ${home}.`
          : `Proposing a territory around ${home}…`}
      </p>
      <button type="button" class="quiet-button" onClick={() => setHome(null)}>
        {market?.asksForFigures ? 'Skip the proposal' : 'Cancel'}
      </button>
    </section>
  );
}

/** @throws Refusal; AbortError */
async function propose(
  market: Market,
  home: string,
  fly: (bbox: Bbox) => void,
  signal: AbortSignal,
): Promise<void> {
  const { draft, place, colorBy } = store.get();
  const zip = market.numbers.get(home);
  if (zip === undefined) throw new Refusal(404, `${home} isn’t in ${market.label}.`);
  const own = firstTerritoryIn(draft);
  if (!own) {
    throw new Refusal(
      409,
      config().brands.length === 0
        ? 'Create a brand on the Brands page first.'
        : 'Your brands already hold ZIP codes in this market, so no first territory is proposed.',
    );
  }
  const { verticals } = config();
  const vertical = verticals.find(({ slug }) => slug === verticalOf(colorBy)) ?? verticals[0]!;
  const form = firstTerritoryForm(own, vertical.slug);
  const request = solveRequest(market, place, withHome(draft, own, zip), form);
  const solution = await solve(request, signal, () => {});
  // An edit made meanwhile takes precedence.
  if (store.get().draft !== draft) return;
  const proposal = proposalOf(market, draft, form, solution);
  const proposed = proposal.draft.territories.find(({ number }) => number === own.number)!;
  const reasons = solution.violations.map(({ message }) => message);
  store.update({
    proposal: {
      ...proposal,
      title: `A first territory around ${home}`,
      notes: [...describeFirstTerritory(market, proposed, vertical), ...reasons],
    },
  });
  const bbox = bboxOf(market, proposed.zips);
  if (bbox) fly(bbox);
}
