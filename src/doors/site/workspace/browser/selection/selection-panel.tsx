/** The selection: its figures, its holders, and the effect of moving it to a territory. */
import { group as groupBy } from 'd3-array';
import { useMemo } from 'preact/hooks';
import {
  addTo,
  allowedAdditions,
  allowedMoves,
  editRefusal,
  measuring,
  moveTo,
  removeFrom,
  scoreColumn,
} from './actions.ts';
import { countZips, formatCount, formatDeviation, namedZips } from '../counts.ts';
import type { Draft, DraftTerritory } from '../territories/draft.ts';
import { moveZips } from '../territories/edits.ts';
import { effectOf, type MeasuredFigures, type TerritoryEffect } from '../territories/figures.ts';
import { EffectTable } from '../territories/effect-table.tsx';
import type { Market } from '../market.ts';
import { formatMeasure } from '../measures.ts';
import { dataMeasures, dataOnMap } from '../own-data.ts';
import { Filter, Reach, SelectMore } from './select-by.tsx';
import { zipsOf } from './selection.ts';
import { intersection } from './sets.ts';
import { TargetSelect } from './target-select.tsx';
import { NO_ZIPS, store } from '../state.ts';
import { MarkSwatch, TerritorySwatch } from '../map/swatch.tsx';
import type { Refused } from '../territories/refusals.ts';
import { useStore } from '../use-store.ts';

export function SelectionPanel() {
  const market = useStore((state) => state.market);
  const size = useStore((state) => state.selection.size);
  if (!market) return null;
  return (
    <section class={size === 0 ? 'selection' : 'selection some'} aria-labelledby="selection-title">
      <div class="selection-head">
        <h2 id="selection-title" tabIndex={-1}>
          {size === 0 ? 'Nothing selected' : `${countZips(size)} selected`}
        </h2>
        {size > 0 && (
          <button type="button" class="link-button" title="Select nothing (Esc)" onClick={clear}>
            Clear<span class="visually-hidden"> the selection</span>
          </button>
        )}
      </div>
      {size > 0 && <Chosen market={market} />}
      <SelectMore market={market} />
      <Filter market={market} />
      <Reach market={market} />
    </section>
  );
}

/** The button disappears with the selection, so the focus moves to the heading. */
function clear(): void {
  store.update({ selection: NO_ZIPS });
  document.getElementById('selection-title')?.focus();
}

/** Maximum number of own data sets with a total, the one on the map first. The table has them all. */
const MAX_DATA = 6;

function Chosen({ market }: { market: Market }) {
  const selection = useStore((state) => state.selection);
  const draft = useStore((state) => state.draft);
  const scores = useStore(scoreColumn);
  const { households, ownerHouseholds, averageScore, opportunity, data } = measuring(
    market,
    scores,
  )(selection);
  const onMap = useStore(dataOnMap);
  const own = dataMeasures(market)
    .toSorted((a, b) => Number(b === onMap) - Number(a === onMap))
    .slice(0, MAX_DATA);
  const owners = (100 * ownerHouseholds) / households;
  return (
    <>
      {(market.withheld === null || own.length > 0) && (
        <dl class="totals">
          {market.withheld === null && (
            <>
              <Total label="Households" value={formatCount(households)} />
              <Total label="Owners" value={formatMeasure(owners, 'percent')} />
              <Total label="Average score" value={formatMeasure(averageScore, 'score')} />
              <Total label="Opportunity" value={formatCount(opportunity)} />
            </>
          )}
          {own.map(({ set, measure }) => (
            <Total
              key={set.slug}
              label={measure.label}
              value={formatMeasure(data.get(set.name)!, measure.unit)}
            />
          ))}
        </dl>
      )}
      {market.withheld === null && (
        <p class="quiet small">
          Opportunity weights households by their score: 1,000 with 80 count as 800.
        </p>
      )}
      <Holders draft={draft} selection={selection} />
      <Give market={market} draft={draft} selection={selection} />
    </>
  );
}

const Total = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

interface ChosenProps {
  draft: Draft;
  selection: ReadonlySet<number>;
}

/** The territories that contain selected ZIP codes, with buttons to remove these */
function Holders({ draft, selection }: ChosenProps) {
  const refusal = useStore(editRefusal);
  const holders = draft.territories
    .map((territory) => ({ territory, held: intersection(territory.zips, selection) }))
    .filter(({ held }) => held.size > 0);
  if (holders.length === 0) return null;
  return (
    <ul class="holders" aria-label="Territories of the selection">
      {holders.map(({ territory: { number, name }, held }) => (
        <li key={number}>
          <TerritorySwatch number={number} />
          <span class="name" data-full={name}>
            {name}
          </span>
          <span class="quiet">{formatCount(held.size)}</span>
          {refusal === null && (
            <button
              type="button"
              class="quiet-button"
              onClick={() => removeFrom(held, number)}
              aria-label={`Remove ${countZips(held.size)} from ${name}`}
            >
              Remove
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Give({ market, draft, selection }: ChosenProps & { market: Market }) {
  const refusal = useStore(editRefusal);
  const isLive = useStore((state) => state.source.kind === 'live');
  const chosen = useStore((state) => state.target);
  const refusals = useStore((state) => state.refusals);
  const { territories } = draft;
  const countRefused = useMemo(
    () => (number: number) =>
      refusals.length === 0 ? 0 : allowedMoves({ refusals, draft }, selection, number).refused.size,
    [refusals, draft, selection],
  );
  const target = territories.find(({ number }) => number === chosen) ?? null;
  if (refusal !== null) return <p class="quiet small">{refusal}</p>;
  if (territories.length === 0) {
    return (
      <p class="quiet small">
        {isLive
          ? 'Create a brand on the Brands page first.'
          : 'Add a territory below, then move these ZIP codes to it.'}
      </p>
    );
  }
  return (
    <>
      <TargetSelect
        id="target"
        label="Move to"
        territories={territories}
        countRefused={countRefused}
      />
      {target && (
        <MoveTo to={target} market={market} draft={draft} selection={selection} isLive={isLive} />
      )}
    </>
  );
}

interface GiveButtonsProps {
  target: DraftTerritory;
  selection: ReadonlySet<number>;
  /** Whether the territory can get any while other brands keep them */
  canAdd: boolean;
  isLive: boolean;
}

/** Brands can share live ZIP codes, so adding differs from moving. */
function GiveButtons({ target: { number, name }, selection, canAdd, isLive }: GiveButtonsProps) {
  return (
    <p class="buttons">
      <button type="button" class="button" onClick={() => moveTo(selection, number)}>
        Move<span class="visually-hidden"> to {name}</span>
      </button>
      {isLive && canAdd && (
        <button
          type="button"
          class="quiet-button"
          title="Other brands keep these ZIP codes"
          onClick={() => addTo(selection, number)}
        >
          Add without moving
        </button>
      )}
    </p>
  );
}

interface MoveToProps extends ChosenProps {
  market: Market;
  to: DraftTerritory;
  isLive: boolean;
}

/** Buttons that move the selection, and the effect, updated while people select */
function MoveTo({ market, draft, selection, to, isLive }: MoveToProps) {
  const scores = useStore(scoreColumn);
  const balance = useStore((state) => state.balance);
  const refusals = useStore((state) => state.refusals);
  const { zips, refused } = useMemo(
    () => allowedMoves({ refusals, draft }, selection, to.number),
    [refusals, draft, selection, to.number],
  );
  const canAdd = allowedAdditions({ refusals, draft }, selection, to.number).zips.size > 0;
  const effects = useMemo(() => {
    const after = moveZips(draft, zips, to.number);
    return effectOf(market, measuring(market, scores), balance, draft, after);
  }, [market, scores, balance, draft, zips, to.number]);
  const refusal = refused.size > 0 && <RefusedZips market={market} to={to} refused={refused} />;
  if (effects.length === 0) {
    return refusal || <p class="quiet small">{to.name} has all of them.</p>;
  }
  return (
    <>
      {refusal}
      <GiveButtons target={to} selection={selection} canAdd={canAdd} isLive={isLive} />
      <div class="effects" role="group" aria-label={`If moved to ${to.name}`}>
        {effects.map((effect) => (
          <Effect key={effect.number} effect={effect} />
        ))}
      </div>
    </>
  );
}

interface RefusedZipsProps {
  market: Market;
  to: DraftTerritory;
  refused: Refused;
}

/** The selected ZIP codes that rules refuse. They aren't moved, and don't count. */
function RefusedZips({ market, to, refused }: RefusedZipsProps) {
  const byReason = groupBy(refused.keys(), (zip) => refused.get(zip)!);
  return (
    <div class="notice refused">
      <p>
        <MarkSwatch kind="refused" /> {countZips(refused.size)} can’t go to {to.name} and{' '}
        {refused.size === 1 ? 'doesn’t' : 'don’t'} count.
      </p>
      <ul>
        {Array.from(byReason, ([reason, zips]) => (
          <li key={reason}>
            {namedZips(zipsOf(market, zips))}: {reason}.
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Row {
  label: string;
  value: (figures: MeasuredFigures) => number;
  format: (value: number) => string;
}

const ROWS: readonly Row[] = [
  { label: 'ZIP codes', value: ({ zips }) => zips, format: formatCount },
  { label: 'Households', value: ({ households }) => households, format: formatCount },
  { label: 'From the mean', value: ({ deviationPct }) => deviationPct, format: formatDeviation },
  {
    label: 'Compactness',
    value: ({ compactness }) => compactness,
    format: (value) => (Number.isNaN(value) ? '–' : value.toFixed(2)),
  },
  { label: 'Pieces', value: ({ pieces }) => pieces, format: formatCount },
];

function Effect({ effect }: { effect: TerritoryEffect }) {
  const { number, name, before, after, cutOff } = effect;
  const own = useStore(dataOnMap);
  const ownRow = own && {
    label: own.measure.label,
    value: ({ data }: MeasuredFigures) => data.get(own.set.name)!,
    format: (value: number) => formatMeasure(value, own.measure.unit),
  };
  const rows = [...ROWS, ...(ownRow ? [ownRow] : [])].map(({ label, value, format }) => {
    const textOf = (figures: MeasuredFigures | null) => (figures ? format(value(figures)) : '–');
    return [label, textOf(before), textOf(after)] as const;
  });
  return (
    <EffectTable
      caption={
        <>
          <TerritorySwatch number={number} /> {name}
        </>
      }
      after="After"
      rows={rows.filter(([, was, is]) => was !== '–' || is !== '–')}
    >
      {cutOff.size > 0 && (
        <tfoot>
          <tr>
            <td colSpan={3} class="caution">
              Cuts off {countZips(cutOff.size)}.{' '}
              <button
                type="button"
                class="link-button"
                onClick={() => store.update({ selection: cutOff })}
              >
                Select
              </button>
            </td>
          </tr>
        </tfoot>
      )}
    </EffectTable>
  );
}
