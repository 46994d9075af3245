/** Panel about the place on the map: the chosen ZIP code, or the metro in the center. */
import type { ComponentChildren } from 'preact';
import { useJson, type Loaded } from './use-json.ts';

export interface PlaceParts {
  /** Paths of the API root and of the site root */
  api: string;
  site: string;
  /** Labels of the verticals by slug */
  verticals: ReadonlyMap<string, string>;
  /** Returns the CSS class that fills an element with the color of a score's class. */
  fillOf(score: number | null): string;
  onZip(zip: string): void;
  onCloseZip(): void;
  onAllMetros(): void;
}

export interface Place {
  /** Slug of the shown vertical */
  vertical: string;
  metro: { slug: string; label: string } | null;
  zip: string | null;
}

export function PlacePanel({ place, parts }: { place: Place; parts: PlaceParts }) {
  if (place.zip !== null) return <ZipDetails zip={place.zip} place={place} parts={parts} />;
  return place.metro && <MetroDetails metro={place.metro} place={place} parts={parts} />;
}

/** The fields of the API's `PublicZipProfile` that are shown */
interface ZipProfile {
  demographics: Readonly<Record<string, number | string | null>>;
  scores: readonly { verticalSlug: string; score: number }[];
}

function ZipDetails({ zip, place, parts }: { zip: string; place: Place; parts: PlaceParts }) {
  const { api, site, verticals, fillOf, onCloseZip } = parts;
  const profile = useJson<ZipProfile>(`${api}/public/zip/${zip}`);
  const back = place.metro ? `Back to ${place.metro.label}` : 'Back to all metros';
  return (
    <section class="place" aria-labelledby="place-title">
      <button type="button" class="quiet-button back" onClick={onCloseZip}>
        {back}
      </button>
      <h2 id="place-title">{zip}</h2>
      <Content loaded={profile}>
        {({ demographics, scores }) => {
          const scoreOf = new Map(scores.map(({ verticalSlug, score }) => [verticalSlug, score]));
          const town = [demographics['city'], demographics['state']].filter(Boolean).join(', ');
          return (
            <>
              <p class="where">{town}</p>
              <table class="scores">
                <caption class="visually-hidden">Scores of {zip}</caption>
                <thead class="visually-hidden">
                  <tr>
                    <th scope="col">Vertical</th>
                    <th scope="col">Score</th>
                  </tr>
                </thead>
                <tbody>
                  {[...verticals].map(([slug, label]) => {
                    const score = scoreOf.get(slug) ?? null;
                    return (
                      <tr key={slug} class={slug === place.vertical ? 'shown' : ''}>
                        <th scope="row">{label}</th>
                        <td class="number">
                          <span class={`chip ${fillOf(score)}`}>{score ?? '–'}</span>
                        </td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
              <dl class="facts">
                {FACTS.map(([field, label, format]) => (
                  <div key={field}>
                    <dt>{label}</dt>
                    <dd>{formatFact(demographics[field], format)}</dd>
                  </div>
                ))}
              </dl>
              <p class="quiet">{demographics['sourceVintage']}</p>
              <p>
                <a href={`${site}/zip/${zip}`}>All figures of {zip}</a>
              </p>
            </>
          );
        }}
      </Content>
    </section>
  );
}

const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const dollars = (value: number) => `$${count.format(value)}`;

/** The census publishes these values for all medians at or beyond them. */
const dollarsBetween = (lowest: number, highest: number) => (value: number) => {
  if (value >= highest) return `${dollars(highest - 1)}+`;
  return value <= lowest ? `${dollars(lowest + 1)} or less` : dollars(value);
};
const EARLIEST_YEAR = 1939;
const year = (value: number) =>
  value <= EARLIEST_YEAR ? `${EARLIEST_YEAR} or earlier` : String(value);

type Format = (value: number) => string;

const FACTS: readonly (readonly [field: string, label: string, format: Format])[] = [
  ['householdsTotal', 'Households', count.format],
  ['ownerOccupiedPct', 'Owner-occupied', (share) => `${count.format(share)}%`],
  ['medianHouseholdIncome', 'Median income', dollarsBetween(2_499, 250_001)],
  ['medianHomeValue', 'Median home value', dollarsBetween(9_999, 2_000_001)],
  ['singleFamilyDetachedPct', 'Detached homes', (share) => `${count.format(share)}%`],
  ['medianYearBuilt', 'Median year built', year],
];

const formatFact = (value: unknown, format: Format) =>
  typeof value === 'number' ? format(value) : '–';

/** The fields of the API's `PublicMetroVertical` that are shown */
interface MetroVertical {
  zipCount: number;
  scoredZipCount: number;
  averageScore: number | null;
  scoreDistribution: readonly { from: number; to: number; count: number }[];
  topZips: readonly { zipCode: string; city: string | null; state: string | null; score: number }[];
  sampled: boolean;
}

interface MetroProps {
  metro: NonNullable<Place['metro']>;
  place: Place;
  parts: PlaceParts;
}

function MetroDetails({ metro, place: { vertical }, parts }: MetroProps) {
  const { api, site, verticals, fillOf, onZip, onAllMetros } = parts;
  const figures = useJson<MetroVertical>(`${api}/public/metro/${metro.slug}/vertical/${vertical}`);
  return (
    <section class="place" aria-labelledby="place-title">
      <button type="button" class="quiet-button back" onClick={onAllMetros}>
        All metros
      </button>
      <h2 id="place-title">{metro.label}</h2>
      <Content loaded={figures}>
        {({ averageScore, zipCount, scoredZipCount, scoreDistribution, topZips, sampled }) => (
          <>
            <dl class="facts">
              <div>
                <dt>Average score</dt>
                <dd>{averageScore?.toFixed(1) ?? '–'}</dd>
              </div>
              <div>
                <dt>ZIP codes</dt>
                <dd>{count.format(zipCount)}</dd>
              </div>
            </dl>
            <Distribution bins={scoreDistribution} fillOf={fillOf} />
            <h3>
              {sampled
                ? `Best ${topZips.length} of ${count.format(scoredZipCount)}`
                : 'Best ZIP codes'}
            </h3>
            <ol class="best">
              {topZips.map(({ zipCode, city, state, score }) => (
                <li key={zipCode}>
                  <button type="button" onClick={() => onZip(zipCode)}>
                    <b>{zipCode}</b> {[city, state].filter(Boolean).join(', ')}
                  </button>
                  <span class={`chip ${fillOf(score)}`}>{score}</span>
                </li>
              ))}
            </ol>
            <p>
              <a href={`${site}/metros/${metro.slug}/${vertical}`}>
                {verticals.get(vertical)} in {metro.label}
              </a>
            </p>
          </>
        )}
      </Content>
    </section>
  );
}

interface DistributionProps {
  bins: MetroVertical['scoreDistribution'];
  fillOf: PlaceParts['fillOf'];
}

/** A histogram. Its label contains the numbers for screen readers. */
function Distribution({ bins, fillOf }: DistributionProps) {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const label = bins.map(({ from, to, count }) => `${from} to ${to}: ${count}`).join('; ');
  const width = 100 / bins.length;
  return (
    <svg
      class="distribution"
      viewBox="0 0 100 30"
      preserveAspectRatio="none"
      role="img"
      aria-label={`ZIP codes by score. ${label}`}
    >
      {bins.map(({ from, count }, i) => (
        <rect
          key={from}
          class={fillOf(from)}
          x={i * width + 0.5}
          y={30 - (30 * count) / most}
          width={width - 1}
          height={(30 * count) / most}
        />
      ))}
    </svg>
  );
}

interface ContentProps<T> {
  loaded: Loaded<T>;
  children(content: T): ComponentChildren;
}

function Content<T>({ loaded, children }: ContentProps<T>) {
  if (loaded.state === 'loading') return <p class="quiet">Loading figures…</p>;
  if (loaded.state === 'failed') return <p role="alert">{loaded.problem}</p>;
  return <>{children(loaded.content)}</>;
}
