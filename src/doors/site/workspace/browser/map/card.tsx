/**
 * The card of a ZIP code: its figures, and the reasons for its score. It has a place of its own, so that it covers
 * neither the ZIP code nor the territory around it.
 */
import { useEffect, useState } from 'preact/hooks';
import { fetchJson } from '../../../browser/map-view.ts';
import { config, measuresIn, pathWith } from '../config.ts';
import { formatList } from '../counts.ts';
import { holderText, territoriesByZip } from '../territories/draft.ts';
import { isDrawingTool } from './drawing.ts';
import { changeOf, formatMeasure, isScore, verticalOf } from '../measures.ts';
import { formatMeasureAt, isUnclear } from '../market.ts';
import { classLabel, SCORE_BREAKS } from './shades.ts';
import { shownDraft } from '../proposals/proposal.ts';
import { targetName } from '../selection/actions.ts';
import type { OutsideZip, WorkspaceState } from '../state.ts';
import { refusalsOf, refusedOnMap } from '../territories/refusals.ts';
import { ZipHistory } from '../over-time/zip-history.tsx';
import { useStore } from '../use-store.ts';
import { measuresOnMap } from '../white-space/white-space-of.ts';

interface Reasons {
  lifts: string[];
  lowers: string[];
  /** The score in an earlier period, by the same weights; missing if it's unknown */
  before?: { score: number; period: string };
  withheld?: string;
}

/** Measures that the card shows in addition to the one on the map */
const SHOWN = ['households', 'ownerOccupiedPct', 'medianHouseholdIncome', 'medianHomeValue'];

/** Pause after which reasons are requested, so that a passing pointer requests none */
const DEBOUNCE_MS = 150;

export function ZipCard() {
  const market = useStore((state) => state.market);
  const zip = useStore(zipOnCard);
  const colorBy = useStore((state) => state.colorBy);
  const onMap = useStore((state) => measuresOnMap(state).join(' '));
  const draft = useStore(shownDraft);
  const isDrawing = useStore((state) => isDrawingTool(state.tool));
  const code = market && zip !== null ? market.zips[zip]! : null;
  const reasons = useReasons(code, colorBy);
  const outside = useStore((state) => state.outside);
  const refusals = useStore((state) =>
    zip === null || state.proposal ? '' : refusalText(state, zip),
  );
  if (!market) return null;
  if (outside) return <OutsideCard {...outside} market={market.label} />;
  if (zip === null || code === null) {
    return (
      <p class="card-hint quiet">
        Point at a ZIP code, or go to one with the arrow keys, to see its figures here.
      </p>
    );
  }
  const holders = territoriesByZip(draft).get(zip) ?? [];
  const names = [...new Set([...onMap.split(' ').filter((name) => !isScore(name)), ...SHOWN])];
  const score = isScore(colorBy) ? market.columns.get(colorBy)?.[zip] : undefined;
  const measures = measuresIn(market);
  const scoreLabel = measures.find(({ name }) => name === colorBy)?.label;
  return (
    // On narrow screens, the card would cover the ZIP codes that are being selected by drawing.
    <div class={isDrawing ? 'zip-card card drawing' : 'zip-card card'}>
      <p class="title">
        <b>{code}</b> {market.places[zip]}
      </p>
      {holders.length > 0 ? (
        <p>{holders.map((territory) => holderText(territory, zip)).join(', ')}</p>
      ) : (
        <p class="quiet">Unassigned</p>
      )}
      {refusals !== '' && <p class="refusal">{refusals}</p>}
      {score !== undefined && (
        <p class="score">
          <b>{Number.isNaN(score) ? 'Not enough data' : formatMeasure(score, 'score')}</b>{' '}
          {scoreLabel}
          {reasons?.before && (
            <span class="quiet">
              , {formatMeasure(reasons.before.score, 'score')} in {reasons.before.period}
            </span>
          )}
        </p>
      )}
      {reasons && (
        <ul class="reasons">
          {reasons.lifts.map((reason) => (
            <li key={reason} class="lifts">
              <span class="visually-hidden">Raises it: </span>
              {reason}
            </li>
          ))}
          {reasons.lowers.map((reason) => (
            <li key={reason} class="lowers">
              <span class="visually-hidden">Lowers it: </span>
              {reason}
            </li>
          ))}
        </ul>
      )}
      {market.withheld === null && (
        <dl>
          {names.map((name) => {
            const measure = measures.find((one) => one.name === name);
            const value = market.columns.get(name)?.[zip];
            const change = measures.find((one) => one.name === changeOf(name));
            const changed = change && market.columns.get(change.name)?.[zip];
            return (
              measure &&
              value !== undefined && (
                <div key={name}>
                  <dt>{measure.label}</dt>
                  <dd>
                    {formatMeasureAt(market, measure, zip)}
                    {changed !== undefined && !Number.isNaN(changed) && (
                      <span class="quiet small">
                        {isUnclear(market, change!, zip)
                          ? 'no clear change'
                          : formatMeasureAt(market, change!, zip)}
                      </span>
                    )}
                  </dd>
                </div>
              )
            );
          })}
        </dl>
      )}
      <ZipHistory key={code} zip={code} />
    </div>
  );
}

/**
 * Says before a move which brands can't get a ZIP code, and why. Once a territory is chosen, says so only of that one.
 */
function refusalText(state: WorkspaceState, zip: number): string {
  const refusal = refusedOnMap(state).get(zip);
  const target = targetName(state);
  if (target !== null) return refusal ? `Can’t go to ${target}: ${refusal}.` : '';
  if (refusal !== undefined) return `Can’t be requested: ${refusal}.`;
  const names = new Map(config().brands.map(({ id, name }) => [id, name]));
  return Array.from(refusalsOf(state.refusals, state.draft, zip), ([reason, brands]) => {
    const known = brands.flatMap((id) => names.get(id) ?? []);
    return `Can’t go to ${formatList(known)}: ${reason}.`;
  }).join(' ');
}

/** The ZIP code under the pointer or reached by keys; without one, the only one that is selected */
function zipOnCard({ hovered, selection }: WorkspaceState): number | null {
  if (hovered !== null || selection.size !== 1) return hovered;
  const [only] = selection;
  return only!;
}

/** The card of a ZIP code outside the market. It shows the class of its score but no figures. */
function OutsideCard({ zip, place, scoreClass, market }: OutsideZip & { market: string }) {
  return (
    <div class="zip-card card">
      <p class="title">
        <b>{zip}</b> {place}
      </p>
      {scoreClass !== null && <p>Score {classLabel(scoreClass, SCORE_BREAKS, 'score')}</p>}
      <p class="quiet">Outside {market}</p>
    </div>
  );
}

const loaded = new Map<string, Reasons>();

/** Failures are ignored, because the card is useful without the reasons. */
async function loadReasons(address: string): Promise<void> {
  try {
    loaded.set(address, await fetchJson<Reasons>(address));
  } catch {
    // Pointing at the ZIP code again retries.
  }
}

/** Returns the reasons for a ZIP code's score, once loaded; null for other measures. */
function useReasons(zip: string | null, colorBy: string): Reasons | null {
  const vertical = verticalOf(colorBy);
  const own = colorBy.startsWith('own:') ? 'yes' : 'no';
  const address =
    zip !== null && vertical !== null
      ? `${pathWith(config().paths.zip, zip)}?${new URLSearchParams({ vertical, own })}`
      : null;
  const [, render] = useState(0);
  useEffect(() => {
    if (address === null || loaded.has(address)) return undefined;
    const timer = setTimeout(() => {
      void loadReasons(address).then(() => render((count) => count + 1));
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [address]);
  return address === null ? null : (loaded.get(address) ?? null);
}
