/** White space: its thresholds and classes, a scatter plot, and the ZIP codes to add to a territory. */
import { useState } from 'preact/hooks';
import { pluralize } from '../../../../../base/text/words.ts';
import {
  LOCAL_MILES,
  STRONG_FROM,
  WHITE_SPACE_CLASSES,
  WHITE_SPACE_LABELS,
} from '../../../../../territories/own-data/white-space.ts';
import { config, measuresIn } from '../config.ts';
import { countZips, formatCount } from '../counts.ts';
import type { Market } from '../market.ts';
import type { WhiteSpaceView } from '../map/view-address.ts';
import { dataOf, formatMeasure, isScore, rateOf, type Measure } from '../measures.ts';
import { scoreColumn } from '../selection/actions.ts';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';
import { Scatter } from './scatter.tsx';
import { comparable, whiteSpaceOf, type WhiteSpace } from './white-space-of.ts';
import { WhiteSpaceList } from './zip-list.tsx';

export function WhiteSpaceSection() {
  const market = useStore((state) => state.market);
  const view = useStore((state) => state.whiteSpace);
  const space = useStore(whiteSpaceOf);
  if (!market || !view) return null;
  return (
    <section class="white-space" aria-labelledby="white-space-title">
      <h2 id="white-space-title">White space</h2>
      {space ? <Shown market={market} view={view} space={space} /> : <Missing market={market} />}
    </section>
  );
}

/** The reason why there is nothing to compare, and what to do */
function Missing({ market: { withheld, label } }: { market: Market }) {
  const { data, dataGuide } = config().paths;
  if (withheld !== null) {
    return <p class="quiet small">White space compares figures, which aren’t shown here.</p>;
  }
  return (
    <p class="small">
      White space is where demand is high and you sell little. None of your data sets has sums in{' '}
      {label}. <a href={data}>Upload your jobs or revenue by ZIP code</a>, or read the guide{' '}
      <a href={dataGuide}>Your own data</a>.
    </p>
  );
}

interface ShownProps {
  market: Market;
  view: WhiteSpaceView;
  space: WhiteSpace;
}

function Shown({ market, view, space }: ShownProps) {
  const measures = new Map(measuresIn(market).map((measure) => [measure.name, measure]));
  const [amount, rate] = [dataOf, rateOf].map((of) => measures.get(of(space.set.slug))!);
  return (
    <>
      <Fields market={market} view={view} space={space} rate={rate!} />
      <Classes space={space} amount={amount!} />
      <Scatter market={market} space={space} rate={rate!} />
      <WhiteSpaceList market={market} space={space} rate={rate!} />
    </>
  );
}

const DISTANCES_MILES = [5, 10, 25, 50, 100];

const change = (part: Partial<WhiteSpaceView>) =>
  store.update(({ whiteSpace }) => ({ whiteSpace: whiteSpace && { ...whiteSpace, ...part } }));

function Fields({ market, view, space, rate }: ShownProps & { rate: Measure }) {
  const scores = useStore(scoreColumn);
  const hasTerritories = useStore(({ draft }) =>
    draft.territories.some(({ zips }) => zips.size > 0),
  );
  // The address may have another distance.
  const distances = [...new Set([...DISTANCES_MILES, view.withinMiles ?? 5])].sort((a, b) => a - b);
  const median = space.median === null ? 'no median' : formatMeasure(space.median, rate.unit);
  return (
    <div class="white-space-fields">
      <label>
        Demand
        <select
          value={scores}
          onChange={({ currentTarget }) => store.update({ colorBy: currentTarget.value })}
        >
          {measuresIn(market)
            .filter(({ name }) => isScore(name))
            .map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
        </select>
      </label>
      <label>
        Sold
        <select
          value={space.set.slug}
          onChange={({ currentTarget }) => change({ data: currentTarget.value, servedFrom: null })}
        >
          {comparable(market).map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Strong from score
        <EnteredNumber
          max="100"
          value={view.strongFrom}
          onEnter={(entered) => change({ strongFrom: entered ?? STRONG_FROM })}
        />
      </label>
      <label>
        Served from rate
        <EnteredNumber
          step="any"
          value={view.servedFrom}
          placeholder={median}
          aria-describedby="white-space-rate"
          onEnter={(servedFrom) => change({ servedFrom })}
        />
      </label>
      {hasTerritories && (
        <label>
          Distance from a territory
          <select
            value={String(view.withinMiles ?? '')}
            onChange={({ currentTarget: { value } }) =>
              change({ withinMiles: value === '' ? null : Number(value) })
            }
          >
            <option value="">Any</option>
            {distances.map((miles) => (
              <option key={miles} value={String(miles)}>
                Up to {pluralize(miles, 'mile')}
              </option>
            ))}
          </select>
        </label>
      )}
      {space.isLocal && (
        <p class="small" role="note">
          {space.set.name} is local: most ZIP codes here are more than {LOCAL_MILES} miles from each
          one with an amount. Those aren’t compared: perhaps you don’t work there.
        </p>
      )}
      <p class="quiet small" id="white-space-rate">
        The rate is {space.set.name} per 1,000 owner households. The median is {median}.
      </p>
    </div>
  );
}

interface EnteredNumberProps {
  value: number | null;
  onEnter: (value: number | null) => void;
  max?: string;
  step?: string;
  placeholder?: string;
  'aria-describedby'?: string;
}

/** A number from 0. It counts once it is entered, and until then, changes elsewhere leave what is being typed. */
function EnteredNumber({ value, onEnter, ...attributes }: EnteredNumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      {...attributes}
      type="number"
      min="0"
      value={typed ?? value ?? ''}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => setTyped(null)}
      onChange={({ currentTarget }) => {
        setTyped(null);
        onEnter(currentTarget.value === '' ? null : Number(currentTarget.value));
      }}
    />
  );
}

/** `1.21M`, because the panel is narrow */
const compact = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 3,
});

/** The legend. An entry selects its ZIP codes. */
function Classes({ space, amount }: { space: WhiteSpace; amount: Measure }) {
  const unknown = space.classes.filter((name) => name === null).length - space.tooFar;
  return (
    <>
      <table class="white-space-classes">
        <thead>
          <tr>
            <td />
            <th scope="col">ZIP codes</th>
            <th scope="col">
              <abbr title="Owner households">Owners</abbr>
            </th>
            <th scope="col">{amount.label}</th>
          </tr>
        </thead>
        <tbody>
          {WHITE_SPACE_CLASSES.map((name) => {
            const { zips, ownerHouseholds, amount: sum } = space.totals[name];
            return (
              <tr key={name}>
                <th scope="row">
                  <button
                    type="button"
                    title="Select them"
                    disabled={zips.size === 0}
                    onClick={() => store.update({ selection: zips })}
                  >
                    <i class={`fill-space-${name}`} />
                    {WHITE_SPACE_LABELS[name]}
                  </button>
                </th>
                <td>{formatCount(zips.size)}</td>
                <td title={formatCount(ownerHouseholds)}>{compact.format(ownerHouseholds)}</td>
                <td title={formatMeasure(sum, amount.unit)}>
                  {amount.unit === 'dollars' && '$'}
                  {compact.format(sum)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {unknown > 0 && <p class="quiet small">{countZips(unknown)} without data</p>}
      {space.tooFar > 0 && <p class="quiet small">{countZips(space.tooFar)} too far to compare</p>}
    </>
  );
}
