/** Selects ZIP codes without the map: by a filter, a distance, or neighbors of the selection. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { scoreColumn } from './actions.ts';
import { config } from '../config.ts';
import { countZips } from '../counts.ts';
import { takeFilter } from '../do-asked.ts';
import { filterFields } from './filter-fields.ts';
import { FilterInput } from './filter-input.tsx';
import { suggest } from './filter-suggest.ts';
import { FilterProblem, type FilterField } from './filter-tokens.ts';
import { parseFilter } from './filter.ts';
import { numbersIn, type Market } from '../market.ts';
import { getJson, messageOf } from '../requests.ts';
import { combine, neighborsOf, zipsAround, zipsOfCounties } from './selection.ts';
import type { MapPlace } from '../../../../../maps/cartography/place-pins.ts';
import { difference, union } from './sets.ts';
import { store, type WorkspaceState } from '../state.ts';
import { useStore } from '../use-store.ts';

const matchCount = (count: number) => `${countZips(count)} ${count === 1 ? 'matches' : 'match'}.`;

const EXAMPLE = 'score >= 80 and owners >= 60%';

/** Combines chosen ZIP codes with the selection in the same way as the tools. */
function choose(zips: ReadonlySet<number>): void {
  const { selection, selectionMode } = store.get();
  store.update({ selection: combine(selection, zips, selectionMode) });
}

type Match = { zips: ReadonlySet<number> } | { problem: FilterProblem } | null;

/** The fields of filters in a state */
const fieldsIn = (state: WorkspaceState & { market: Market }): FilterField[] =>
  filterFields({
    market: state.market,
    draft: state.draft,
    selection: state.selection,
    verticals: config().verticals,
    scores: scoreColumn(state),
    places: state.places,
  });

function matchFilter(text: string, market: Market, fields: readonly FilterField[]): Match {
  if (text.trim() === '') return null;
  try {
    const matches = parseFilter(text, fields);
    const zips = new Set<number>();
    for (let zip = 0; zip < market.zips.length; zip++) if (matches(zip)) zips.add(zip);
    return { zips };
  } catch (error) {
    if (error instanceof FilterProblem) return { problem: error };
    throw error;
  }
}

export function Filter({ market }: { market: Market }) {
  const [text, setText] = useState(takeFilter);
  const [isSent, setSent] = useState(false);
  const draft = useStore((state) => state.draft);
  const selection = useStore((state) => state.selection);
  const colorBy = useStore((state) => state.colorBy);
  const places = useStore((state) => state.places);
  const fields = useMemo(
    () => fieldsIn({ ...store.get(), market }),
    [market, draft, selection, colorBy, places],
  );
  const match = useMemo(() => matchFilter(text, market, fields), [text, market, fields]);
  const problem = match && 'problem' in match ? match.problem : null;
  // A filter in the address selects at once.
  useEffect(() => {
    if (match && 'zips' in match) choose(match.zips);
    else if (problem) setSent(true);
  }, []);
  const change = (next: string) => {
    setText(next);
    setSent(false);
  };
  return (
    <form
      class="filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        setSent(true);
        if (match && 'zips' in match) choose(match.zips);
        else if (problem) {
          const input = event.currentTarget.elements.namedItem('filter') as HTMLInputElement;
          input.focus();
          input.setSelectionRange(problem.at, input.value.length);
        }
      }}
    >
      <label for="filter">Filter</label>
      <FilterInput
        text={text}
        change={change}
        suggestions={(part) => suggest(part, fields, market.zips.keys())}
        placeholder={EXAMPLE}
        isInvalid={isSent && problem !== null}
      />
      <div class="with-button">
        <p id="filter-hint" class="quiet small" role={isSent && problem ? 'alert' : undefined}>
          {match === null
            ? 'Fields, operators, and values are offered as you type.'
            : problem
              ? problem.message
              : matchCount((match as { zips: ReadonlySet<number> }).zips.size)}
        </p>
        <button class="quiet-button" type="submit">
          Select<span class="visually-hidden"> ZIP codes that match the filter</span>
        </button>
      </div>
    </form>
  );
}

export function Reach({ market }: { market: Market }) {
  const selection = useStore((state) => state.selection);
  const places = useStore((state) => state.places);
  const [status, setStatus] = useState('');
  const [first] = selection;
  const submit = async (fields: FormData) => {
    const { around, reach, unit } = Object.fromEntries(fields) as Record<string, string>;
    const found = await zipsInReach(market, around!.trim(), Number(reach), unit === 'minutes');
    if (typeof found === 'string') {
      setStatus(found);
      return;
    }
    choose(found);
    setStatus(`${countZips(found.size)} found.`);
  };
  return (
    <form
      class="reach"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <fieldset>
        <legend>Distance</legend>
        <div class="reach-row">
          <div class="with-button">
            <input
              name="reach"
              type="number"
              min="1"
              max="200"
              step="any"
              defaultValue="10"
              required
              aria-label="Distance"
            />
            {config().maxDriveMinutes !== null ? (
              <select name="unit" aria-label="Unit">
                <option value="miles">miles</option>
                <option value="minutes">minutes by car</option>
              </select>
            ) : (
              <span>miles</span>
            )}
          </div>
          <div class="with-button">
            <span>of</span>
            <input
              name="around"
              list="places-in-center"
              autocomplete="off"
              required
              aria-label={
                places.length > 0 ? 'ZIP code or place in the center' : 'ZIP code in the center'
              }
              key={first}
              defaultValue={first === undefined ? '' : market.zips[first]}
              placeholder={market.zips[0]}
            />
            <datalist id="places-in-center">
              {places.map(({ name }) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <button class="quiet-button" type="submit">
              Select<span class="visually-hidden"> ZIP codes within the distance</span>
            </button>
          </div>
        </div>
      </fieldset>
      <p class="quiet small" role="status">
        {status}
      </p>
    </form>
  );
}

/** @param around a ZIP code or the name of a place. @returns a sentence if there are no results */
export async function zipsInReach(
  market: Market,
  around: string,
  reach: number,
  isDrive: boolean,
): Promise<ReadonlySet<number> | string> {
  const place = store.get().places.find(({ name }) => name.toLowerCase() === around.toLowerCase());
  if (isDrive) {
    const query = new URLSearchParams({ reach: String(reach), unit: 'minutes' });
    if (place) {
      query.set('lng', String(place.lngLat[0]));
      query.set('lat', String(place.lngLat[1]));
    } else query.set('around', around);
    try {
      const { zips } = await getJson<{ zips: string }>(`${config().paths.reach}?${query}`);
      return numbersIn(market, zips.split(' '));
    } catch (error) {
      return messageOf(error);
    }
  }
  if (place) return zipsAround(market, place.lngLat, reach);
  const center = market.numbers.get(around);
  if (center === undefined) {
    return `${around} is neither a ZIP code of this market nor one of your places.`;
  }
  const [lon, lat] = [market.lon[center]!, market.lat[center]!];
  if (Number.isNaN(lon)) return `The position of ${around} isn’t known.`;
  return zipsAround(market, [lon, lat], reach);
}

/** ZIP codes of the market in which own places are */
const zipsWithPlaces = (market: Market, places: readonly MapPlace[]): ReadonlySet<number> =>
  numbersIn(
    market,
    places.flatMap(({ kind, zip }) => (kind === 'competitor' || zip === null ? [] : zip)),
  );

/** Buttons that extend the selection */
export function SelectMore({ market }: { market: Market }) {
  const selection = useStore((state) => state.selection);
  const places = useStore((state) => state.places);
  const withPlaces = useMemo(() => zipsWithPlaces(market, places), [market, places]);
  const select = (next: ReadonlySet<number>) => store.update({ selection: next });
  const all = () => new Set(market.zips.keys());
  if (selection.size === 0) {
    return (
      <div class="select-more">
        <button type="button" class="quiet-button" onClick={() => select(all())}>
          Select all {countZips(market.zips.length)}
        </button>
        {withPlaces.size > 0 && (
          <button
            type="button"
            class="quiet-button"
            title="Select the ZIP codes in which your places are, such as to use them as homes of territories"
            onClick={() => select(withPlaces)}
          >
            Select those of your places
          </button>
        )}
      </div>
    );
  }
  return (
    <div class="select-more" role="group" aria-label="Change the selection">
      <button
        type="button"
        class="quiet-button"
        title="Add the ZIP codes that border the selection (N)"
        onClick={() => select(union(selection, neighborsOf(market, selection)))}
      >
        + Neighbors
      </button>
      <button
        type="button"
        class="quiet-button"
        title="Add the rest of the counties"
        onClick={() => select(union(selection, zipsOfCounties(market, selection)))}
      >
        + Counties
      </button>
      <button
        type="button"
        class="quiet-button"
        title="Select all other ZIP codes instead"
        onClick={() => select(difference(all(), selection))}
      >
        Invert
      </button>
    </div>
  );
}
