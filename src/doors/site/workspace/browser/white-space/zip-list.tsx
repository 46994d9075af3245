/** The ZIP codes in white space, best first, and buttons that add them to a territory. */
import { useState } from 'preact/hooks';
import { countZips, formatCount } from '../counts.ts';
import type { Market } from '../market.ts';
import { formatMeasure, type Measure } from '../measures.ts';
import { addTo, editRefusal, moveTo } from '../selection/actions.ts';
import { toggle } from '../selection/selection.ts';
import { TargetSelect } from '../selection/target-select.tsx';
import { intersection } from '../selection/sets.ts';
import { store } from '../state.ts';
import { territoriesByZip } from '../territories/draft.ts';
import { territoryOf } from '../territories/edits.ts';
import { useStore } from '../use-store.ts';
import { bestWhiteSpace, type WhiteSpace } from './white-space-of.ts';

/** Rows that are added at a time */
const STEP = 25;

interface ListProps {
  market: Market;
  space: WhiteSpace;
  rate: Measure;
}

export function WhiteSpaceList({ market, space, rate }: ListProps) {
  const [isFreeOnly, setFreeOnly] = useState(false);
  const [shown, setShown] = useState(STEP);
  const draft = useStore((state) => state.draft);
  const selection = useStore((state) => state.selection);
  const holders = territoriesByZip(draft);
  const all = bestWhiteSpace(space);
  const listed = isFreeOnly ? all.filter((zip) => !holders.has(zip)) : all;
  const chosen = intersection(selection, new Set(listed));
  const owners = market.columns.get('ownerOccupiedHouseholds')!;
  return (
    <div class="white-space-list">
      <h3>
        {countZips(listed.length)} {isFreeOnly ? 'in unassigned white space' : 'in white space'}
      </h3>
      <div class="with-button">
        <label class="choice">
          <input
            type="checkbox"
            checked={isFreeOnly}
            onChange={({ currentTarget }) => setFreeOnly(currentTarget.checked)}
          />
          <span>Only unassigned</span>
        </label>
        <button
          type="button"
          class="quiet-button"
          disabled={listed.length === 0}
          onClick={() => store.update({ selection: new Set(listed) })}
        >
          Select all<span class="visually-hidden"> of them</span>
        </button>
      </div>
      <ol>
        {listed.slice(0, shown).map((zip) => (
          <li
            key={zip}
            onMouseEnter={() => store.update({ hovered: zip })}
            onMouseLeave={() => store.update({ hovered: null })}
          >
            <label>
              <input
                type="checkbox"
                checked={selection.has(zip)}
                onChange={() => store.update({ selection: toggle(selection, zip) })}
              />
              <span>
                <b>{market.zips[zip]}</b> {market.places[zip]}
                <span class="quiet small">
                  {formatMeasure(space.rates[zip]!, rate.unit)} per 1,000 of{' '}
                  {formatCount(owners[zip]!)} owner households
                </span>
                <span class="quiet small">
                  {holders.has(zip)
                    ? `Held by ${holders
                        .get(zip)!
                        .map(({ name }) => name)
                        .join(', ')}`
                    : 'Unassigned'}
                </span>
              </span>
              <b class="score">
                <span class="visually-hidden">Score </span>
                {formatMeasure(space.scores[zip]!, 'score')}
              </b>
            </label>
          </li>
        ))}
      </ol>
      {listed.length > shown && (
        <button type="button" class="link-button" onClick={() => setShown(shown + STEP)}>
          Show {Math.min(STEP, listed.length - shown)} more
        </button>
      )}
      <Add zips={chosen} />
    </div>
  );
}

/** Live territories share ZIP codes until a review decides. Those of plans don’t. */
function Add({ zips }: { zips: ReadonlySet<number> }) {
  const refusal = useStore(editRefusal);
  const draft = useStore((state) => state.draft);
  const isLive = useStore((state) => state.source.kind === 'live');
  const target = useStore((state) => state.target);
  if (refusal !== null) return <p class="quiet small">{refusal}</p>;
  if (draft.territories.length === 0) return null;
  const receiver = target === null ? undefined : territoryOf(draft, target);
  const give = isLive ? addTo : moveTo;
  return (
    <div class="add">
      <TargetSelect id="white-space-target" label="Add to" territories={draft.territories} />
      <button
        type="button"
        class="button"
        disabled={!receiver || zips.size === 0}
        onClick={() => give(zips, receiver!.number)}
      >
        {zips.size === 0 ? 'Select ZIP codes to add' : `Add ${countZips(zips.size)}`}
      </button>
    </div>
  );
}
