/** The list of territories: the brands', or a plan's. */
import { useMemo } from 'preact/hooks';
import { countZips } from '../counts.ts';
import type { Draft, DraftTerritory } from './draft.ts';
import { coverage } from './figures.ts';
import { bboxOf, type Bbox, type Market } from '../market.ts';
import { formatMeasure } from '../measures.ts';
import { dataOnMap } from '../own-data.ts';
import { measuring, scoreColumn } from '../selection/actions.ts';
import { store } from '../state.ts';
import { MarkSwatch, TerritorySwatch } from '../map/swatch.tsx';
import { PlanRow } from './plan-territories.tsx';
import { unsavedZips } from './unsaved.ts';
import { useStore } from '../use-store.ts';

export function Territories({ fly }: { fly: (bbox: Bbox) => void }) {
  const market = useStore((state) => state.market);
  const draft = useStore((state) => state.draft);
  const source = useStore((state) => state.source);
  if (!market) return null;
  const [held, empty] = [true, false].map((has) =>
    draft.territories.filter(({ zips }) => zips.size > 0 === has),
  );
  return (
    <section class="territories" aria-labelledby="territories-title">
      <h2 id="territories-title">{source.kind === 'live' ? 'Brands' : source.name}</h2>
      {draft.territories.length === 0 && <p class="quiet">No territories yet.</p>}
      <ul>
        {[...held!, ...empty!].map((territory) => (
          <Territory key={territory.number} territory={territory} market={market} fly={fly} />
        ))}
      </ul>
      <MarksLegend market={market} draft={draft} />
    </section>
  );
}

/** Legend of the marks on the map. An entry selects its ZIP codes. */
function MarksLegend({ market, draft }: { market: Market; draft: Draft }) {
  const saved = useStore((state) => state.saved);
  const { added, removed } = useMemo(() => unsavedZips(saved, draft), [saved, draft]);
  const shared = useMemo(() => coverage(market, draft).shared, [market, draft]);
  const marks = [
    { kind: 'added', zips: added, label: 'added, not saved' },
    { kind: 'removed', zips: removed, label: 'removed, not saved' },
    { kind: 'shared', zips: shared, label: 'in several territories' },
  ] as const;
  return (
    <div class="marks" role="group" aria-label="Marks on the map">
      {marks.map(
        ({ kind, zips, label }) =>
          zips.size > 0 && (
            <button
              key={kind}
              type="button"
              title="Select them"
              onClick={() => store.update({ selection: zips })}
            >
              <MarkSwatch kind={kind} />
              {countZips(zips.size)} {label}
            </button>
          ),
      )}
    </div>
  );
}

interface TerritoryProps {
  territory: DraftTerritory;
  market: Market;
  fly: (bbox: Bbox) => void;
}

function Territory({ territory, market, fly }: TerritoryProps) {
  const { number, name, zips, pending, planned } = territory;
  const waiting = [...pending].filter((zip) => !planned?.get(zip)?.on).length;
  const households = sumOf(market.columns.get('households'), zips);
  const own = useStore(dataOnMap);
  const scores = useStore(scoreColumn);
  const show = () => {
    const bbox = bboxOf(market, zips);
    if (bbox) fly(bbox);
    store.update({ selection: zips });
  };
  return (
    <li class={zips.size === 0 ? 'empty' : ''}>
      <button type="button" onClick={show} disabled={zips.size === 0}>
        <TerritorySwatch number={number} />
        <span class="name" data-full={name}>
          {name}
        </span>
        <span class="quiet small">
          {zips.size.toLocaleString('en-US')} {zips.size === 1 ? 'ZIP code' : 'ZIP codes'}
          {waiting > 0 && `, ${waiting.toLocaleString('en-US')} pending`}
          {pending.size > waiting &&
            `, ${(pending.size - waiting).toLocaleString('en-US')} planned`}
          {households !== null &&
            zips.size > 0 &&
            ` · ${households.toLocaleString('en-US')} households`}
          {own !== null &&
            zips.size > 0 &&
            ` · ${own.measure.label}: ${formatMeasure(measuring(market, scores)(zips).data.get(own.set.name)!, own.measure.unit)}`}
        </span>
      </button>
      <PlanRow territory={territory} />
    </li>
  );
}

/** Unknown values count as 0. @returns null without the column */
function sumOf(column: Float64Array | undefined, zips: ReadonlySet<number>): number | null {
  if (!column) return null;
  let sum = 0;
  for (const zip of zips) sum += column[zip]! || 0;
  return Math.round(sum);
}
