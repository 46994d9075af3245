/** The choice of the map's colors, and their legend. */
import { config, measuresIn, pathWith } from '../config.ts';
import { isScore, ownScoreOf, uploadNameOf, verticalOf, type Measure } from '../measures.ts';
import { isNational } from './shading.ts';
import { breaksOf, classLabel, classOf, colorOfClass } from './shades.ts';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';

export function ColorBy() {
  const colorBy = useStore((state) => state.colorBy);
  const market = useStore((state) => state.market);
  const { verticals } = config();
  const measures = measuresIn(market);
  const isUploaded = ({ name }: Measure) => uploadNameOf(name) !== null;
  const groups: [label: string, measures: readonly Measure[]][] = [
    ['Scores', measures.filter(({ name }) => name.startsWith('score:'))],
    ['Your own weights', measures.filter(({ name }) => name.startsWith('own:'))],
    ['Census', measures.filter((one) => one.unit !== 'score' && !isUploaded(one))],
    ['Uploaded for the plan', measures.filter(isUploaded)],
  ];
  const vertical = verticalOf(colorBy);
  const ownName = vertical === null ? null : ownScoreOf(vertical);
  const hasOwn = verticals.some(({ slug, own }) => slug === vertical && own);
  return (
    <section class="color-by" aria-label="Colors">
      <label for="color-by">Color by</label>
      <select
        id="color-by"
        value={colorBy}
        onChange={(event) => store.update({ colorBy: event.currentTarget.value })}
      >
        <option value="territory">Territories</option>
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
      <Legend />
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

function Legend() {
  const source = useStore((state) => state.source);
  const market = useStore((state) => state.market);
  const colorBy = useStore((state) => state.colorBy);
  const values = market?.columns.get(colorBy);
  const measure = measuresIn(market).find(({ name }) => name === colorBy);
  // Without figures, only the classes of scores are known.
  if (!market || !measure || (!values && !isScore(colorBy))) return null;
  const breaks = breaksOf(colorBy, values ?? new Float64Array());
  const counts = Array.from({ length: breaks.length + 1 }, () => 0);
  let unknown = 0;
  for (const value of values ?? []) {
    const index = classOf(value, breaks);
    if (index === null) unknown++;
    else counts[index]!++;
  }
  const most = Math.max(1, ...counts);
  return (
    <>
      <ol class="legend" aria-label={`Legend: ${measure.label}`}>
        {counts.map((count, index) => (
          <li key={index}>
            <i class={`fill-${colorOfClass(index, breaks)}`} />
            <span>{classLabel(index, breaks, measure.unit)}</span>
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
