/** The choice of the map's colors, and their legend. */
import { STRONG_FROM } from '../../../../../territories/own-data/white-space.ts';
import { config, measuresIn, pathWith } from '../config.ts';
import {
  changedIn,
  dataSlugOf,
  isScore,
  ownScoreOf,
  verticalOf,
  type Measure,
} from '../measures.ts';
import { changeClassLabel, changesIn, countClasses } from './change-classes.ts';
import { isNational } from './shading.ts';
import { breaksOf, classLabel, classOf, colorOfClass, isLowestZero } from './shades.ts';
import { countZips } from '../counts.ts';
import type { Market } from '../market.ts';
import { scoreColumn, targetName } from '../selection/actions.ts';
import { refusedOnMap } from '../territories/refusals.ts';
import { longDay } from '../controls/day-field.tsx';
import { shownDraft } from '../proposals/proposal.ts';
import { MarkSwatch } from './swatch.tsx';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';

/** The choice of white space instead of a measure */
const WHITE_SPACE = 'white-space';

function choose(name: string): void {
  if (name !== WHITE_SPACE) store.update({ colorBy: name, whiteSpace: null });
  else {
    // The figures of the selection use the same scores.
    const colorBy = scoreColumn(store.get());
    const data = dataSlugOf(store.get().colorBy) ?? '';
    store.update({ colorBy, whiteSpace: { data, strongFrom: STRONG_FROM, servedFrom: null } });
  }
}

const isChange = ({ name }: Measure) => changedIn(name) !== null;

const isOwn = ({ name }: Measure) => dataSlugOf(name) !== null;

export function ColorBy() {
  const colorBy = useStore((state) => state.colorBy);
  const market = useStore((state) => state.market);
  const isWhiteSpace = useStore((state) => state.whiteSpace !== null);
  const { verticals } = config();
  const measures = measuresIn(market);
  const groups: [label: string, measures: readonly Measure[]][] = [
    ['Scores', measures.filter(({ name }) => name.startsWith('score:'))],
    ['Your own weights', measures.filter(({ name }) => name.startsWith('own:'))],
    ['Census', measures.filter((one) => one.unit !== 'score' && !isOwn(one) && !isChange(one))],
    ['Changes in the census', measures.filter(isChange)],
    ['Your data', measures.filter(isOwn)],
  ];
  const vertical = verticalOf(colorBy);
  const ownName = vertical === null ? null : ownScoreOf(vertical);
  const hasOwn = verticals.some(({ slug, own }) => slug === vertical && own);
  return (
    <section class="color-by" aria-label="Colors">
      <label for="color-by">Color by</label>
      <select
        id="color-by"
        value={isWhiteSpace ? WHITE_SPACE : colorBy}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="territory">Territories</option>
        <option value={WHITE_SPACE}>White space</option>
        {groups
          .filter(([, measures]) => measures.length > 0)
          .map(([label, measures]) => (
            <optgroup key={label} label={label}>
              {measures.map(({ name, label: measure }) => (
                <option key={name} value={name}>
                  {measure}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
      {!isWhiteSpace && <Legend />}
      <PlannedLegend />
      <RefusedLegend />
      {vertical !== null && (
        <p class="quiet small">
          <a href={pathWith(config().paths.targeting, vertical)}>
            {hasOwn && colorBy === ownName ? 'Change your weights' : 'Set your own weights'}
          </a>
        </p>
      )}
    </section>
  );
}

/** What changes that wait add and remove, with the first day on which one goes live */
function PlannedLegend() {
  const draft = useStore(shownDraft);
  const planned = draft.territories.flatMap((one) => [...(one.planned ?? [])]);
  if (planned.length === 0) return null;
  const zips = new Set(planned.map(([zip]) => zip)).size;
  const [first] = planned.flatMap(([, { on }]) => on ?? []).sort();
  return (
    <p class="refused-legend small">
      <MarkSwatch kind="planned" /> {countZips(zips)} to change
      {first === undefined ? ' when a change is approved' : `, first on ${longDay(first)}`}
    </p>
  );
}

function RefusedLegend() {
  const count = useStore((state) => (state.proposal ? 0 : refusedOnMap(state).size));
  const target = useStore(targetName);
  if (count === 0) return null;
  return (
    <p class="refused-legend small">
      <MarkSwatch kind="refused" /> {countZips(count)}{' '}
      {target ? `can’t go to ${target}` : 'can’t be requested'}: reserved or blocked
    </p>
  );
}

/** The legend of changes, in which what is within the margin of error has a class of its own */
function ChangeLegend({ market, measure }: { market: Market; measure: Measure }) {
  const changes = changesIn(market, measure.name);
  if (!changes) return null;
  const counts = countClasses(changes);
  const unknown = changes.classes.filter((name) => name === null).length;
  const most = Math.max(1, ...counts.map(([, count]) => count));
  return (
    <>
      <ol class="legend" aria-label={`Legend: ${measure.label}`}>
        {counts.map(([name, count]) => (
          <li key={name}>
            <i class={`fill-change-${name}`} />
            <span>{changeClassLabel(name, changes.strongFrom, measure.unit)}</span>
            <meter min={0} max={most} value={count} aria-hidden="true" />
            <span class="count">
              {count.toLocaleString('en-US')}
              <span class="visually-hidden"> ZIP codes</span>
            </span>
          </li>
        ))}
      </ol>
      <p class="quiet small">
        Between {market.changePeriods}, at the 90% level.
        {measure.unit === 'change-percent' &&
          /:median/.test(measure.name) &&
          ' Dollars are compared after inflation.'}
        {unknown > 0 && ` ${countZips(unknown)} without data.`} Outside {market.label}, the map
        shows no changes.
      </p>
    </>
  );
}

function Legend() {
  const source = useStore((state) => state.source);
  const market = useStore((state) => state.market);
  const colorBy = useStore((state) => state.colorBy);
  const values = market?.columns.get(colorBy);
  const measure = measuresIn(market).find(({ name }) => name === colorBy);
  // Without figures, only the classes of scores are known.
  if (!market || !measure || (!values && !isScore(colorBy))) return null;
  if (isChange(measure)) return <ChangeLegend market={market} measure={measure} />;
  const breaks = breaksOf(colorBy, values ?? new Float64Array());
  const counts = Array.from({ length: breaks.length + 1 }, () => 0);
  let unknown = 0;
  for (const value of values ?? []) {
    const index = classOf(value, breaks);
    if (index === null) unknown++;
    else counts[index]!++;
  }
  const hasZeros = isOwn(measure) && values !== undefined && isLowestZero(values, breaks);
  const most = Math.max(1, ...counts);
  return (
    <>
      <ol class="legend" aria-label={`Legend: ${measure.label}`}>
        {counts.map((count, index) => (
          <li key={index}>
            <i class={`fill-${colorOfClass(index, breaks)}`} />
            <span>
              {hasZeros && index === 0 ? 'None' : classLabel(index, breaks, measure.unit)}
            </span>
            {values && (
              <>
                <meter min={0} max={most} value={count} aria-hidden="true" />
                <span class="count">
                  {count.toLocaleString('en-US')}
                  <span class="visually-hidden"> ZIP codes</span>
                </span>
              </>
            )}
          </li>
        ))}
      </ol>
      {unknown > 0 && values && (
        <p class="quiet small">{unknown.toLocaleString('en-US')} without data</p>
      )}
      {isNational(measure.name) && (
        <p class="quiet small">
          Colors are fainter outside the {source.kind === 'plan' ? 'plan’s market' : 'market'}.
          {isScore(measure.name) && ' Scores rank every ZIP code in the country.'}
        </p>
      )}
    </>
  );
}
