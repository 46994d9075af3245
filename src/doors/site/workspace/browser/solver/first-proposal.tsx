/**
 * Proposes the first territory of a new organization, around the home ZIP code that was entered at sign-up. Its size
 * can be changed before and after it is accepted, until it is sent to review.
 */
import { useEffect, useRef } from 'preact/hooks';
import { RefusalText, useAttempt } from '../controls/attempt.tsx';
import { config } from '../config.ts';
import {
  canPropose,
  describeFirstTerritory,
  firstTerritoryIn,
  growFirst,
  USUAL_AMOUNTS,
  USUAL_SIZE,
  type FirstSize,
} from './first-territory.ts';
import { bboxOf, type Bbox, type Market } from '../market.ts';
import { verticalOf } from '../measures.ts';
import { Refusal } from '../requests.ts';
import { zipsInReach } from '../selection/select-by.tsx';
import { store } from '../state.ts';
import { refusedTo } from '../territories/refusals.ts';
import { territoriesByZip } from '../territories/draft.ts';
import { useStore } from '../use-store.ts';

/**
 * Removes the home ZIP code from the page's address and returns it, so that reloading the page doesn't propose
 * again.
 */
function takeHome(): string | null {
  const url = new URL(location.href);
  const home = url.searchParams.get('proposal') === 'first' ? url.searchParams.get('home') : null;
  url.searchParams.delete('proposal');
  url.searchParams.delete('home');
  history.replaceState(null, '', url);
  return home;
}

const asked = takeHome();
if (asked !== null) store.update({ first: { home: asked, size: USUAL_SIZE } });

/** Returns whether the page opens with a proposal. */
export const isFirstRun = asked !== null;

/** Whether it was shown. Later, it is shown again only if someone asks. */
let wasShown = false;

export function FirstProposal({ fly }: { fly: (bbox: Bbox) => void }) {
  const first = useStore((state) => state.first);
  const market = useStore((state) => state.market);
  const saved = useStore((state) => state.saved);
  const { attempt, refusal } = useAttempt();
  const isReady = first !== null && canPropose(market);
  useEffect(() => {
    if (!isReady || wasShown) return;
    wasShown = true;
    void attempt(() => propose(first.size, fly));
  }, [isReady]);
  if (first === null) return null;
  const close = () => store.update({ first: null });
  const isWaiting = !isReady;
  const isElsewhere = wasShown && market !== null && !market.numbers.has(first.home);
  if (!isWaiting && refusal === null && (isElsewhere || !firstTerritoryIn(saved))) return null;
  return (
    <section class="first-proposal" aria-label="First territory">
      {isWaiting ? (
        <p role="status">
          {market?.asksForFigures
            ? `Show the figures to get a proposal for a first territory around ${first.home}.`
            : `Proposing a territory around ${first.home}…`}
        </p>
      ) : refusal !== null ? (
        <RefusalText>{refusal}</RefusalText>
      ) : (
        <>
          <h2>First territory</h2>
          <FirstSizeForm submit="Propose again" fly={fly} />
        </>
      )}
      <button type="button" class="quiet-button" onClick={close}>
        {isWaiting ? 'Skip the proposal' : 'Close'}
      </button>
    </section>
  );
}

const UNITS: Readonly<Record<FirstSize['unit'], string>> = {
  households: 'households',
  zips: 'ZIP codes',
  miles: 'miles from it',
  minutes: 'minutes by car',
};

interface FirstSizeFormProps {
  /** Label of the button. Other changes take effect at once */
  submit: string;
  fly?: (bbox: Bbox) => void;
}

/** The size of the first territory, which is proposed again as it changes */
export function FirstSizeForm({ submit, fly }: FirstSizeFormProps) {
  const first = useStore((state) => state.first);
  const market = useStore((state) => state.market);
  const { attempt, isWorking, refusal } = useAttempt();
  const amount = useRef<HTMLInputElement>(null);
  if (!first || !market) return null;
  const { size } = first;
  const units = (Object.keys(UNITS) as FirstSize['unit'][]).filter(
    (unit) =>
      (unit !== 'households' || market.columns.has('households')) &&
      (unit !== 'minutes' || config().maxDriveMinutes !== null),
  );
  const change = (next: FirstSize) => {
    if (next.amount > 0) void attempt(() => propose(next, fly));
  };
  return (
    <form
      class="first-size"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWorking) change({ ...size, amount: amount.current!.valueAsNumber });
      }}
    >
      <label>
        Size around {first.home}
        <span class="with-button">
          <input
            type="number"
            ref={amount}
            key={`${size.unit} ${size.amount}`}
            min="1"
            step="any"
            required
            defaultValue={String(size.amount)}
          />
          <select
            aria-label="Unit of the size"
            value={size.unit}
            onChange={({ currentTarget }) => {
              const unit = currentTarget.value as FirstSize['unit'];
              change({ unit, amount: USUAL_AMOUNTS[unit] });
            }}
          >
            {units.map((unit) => (
              <option key={unit} value={unit}>
                {UNITS[unit]}
              </option>
            ))}
          </select>
          <button type="submit" class="quiet-button">
            {submit}
          </button>
        </span>
      </label>
      <RefusalText>{refusal}</RefusalText>
    </form>
  );
}

/** Shows the proposal. @throws Refusal */
async function propose(size: FirstSize, fly?: (bbox: Bbox) => void): Promise<void> {
  const { market, saved, first, place, colorBy } = store.get();
  if (!market || !first) return;
  const home = market.numbers.get(first.home);
  if (home === undefined) throw new Refusal(404, `${first.home} isn’t in ${market.label}.`);
  const own = firstTerritoryIn(saved);
  if (!own) {
    throw new Refusal(
      409,
      config().brands.length === 0
        ? 'Create a brand on the Brands page first.'
        : 'Your brands already hold ZIP codes in this market, so no first territory is proposed.',
    );
  }
  const asked: FirstSize =
    size.unit === 'households' && !market.columns.has('households')
      ? { unit: 'zips', amount: USUAL_AMOUNTS.zips }
      : size;
  const inReach = await reachOf(market, first.home, asked);
  const { draft, refusals, place: now } = store.get();
  // Another market may be open by now.
  if (now !== place) return;
  const others = territoriesByZip({
    territories: draft.territories.filter(({ number }) => number !== own.number),
  });
  const refused = refusedTo(refusals, draft, own.brand);
  const zips = growFirst(
    market,
    home,
    asked,
    (zip) => (inReach?.has(zip) ?? true) && !others.has(zip) && !refused.has(zip),
  );
  const { verticals } = config();
  const vertical = verticals.find(({ slug }) => slug === verticalOf(colorBy)) ?? verticals[0]!;
  store.update({
    first: { ...first, size: asked },
    proposal: {
      kind: 'proposal',
      isFirst: true,
      title: `A first territory around ${first.home}`,
      notes: describeFirstTerritory(market, home, zips, asked, vertical),
      base: draft,
      draft: {
        territories: draft.territories.map((one) =>
          one.number === own.number ? { ...one, zips, pending: new Set<number>() } : one,
        ),
      },
      bridges: [],
      connections: [],
      declined: new Set(),
      balance: 'households',
      vertical: vertical.slug,
    },
  });
  const bbox = bboxOf(market, zips);
  if (bbox) fly?.(bbox);
}

/** Returns the ZIP codes within a distance or a drive; null if the size is an amount. @throws Refusal */
async function reachOf(
  market: Market,
  home: string,
  { unit, amount }: FirstSize,
): Promise<ReadonlySet<number> | null> {
  if (unit !== 'miles' && unit !== 'minutes') return null;
  const found = await zipsInReach(market, home, amount, unit === 'minutes');
  if (typeof found === 'string') throw new Refusal(400, found);
  return found;
}
