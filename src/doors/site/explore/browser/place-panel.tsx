/** Panel about the place on the map: the chosen ZIP code, or the metro in the center. */
import type { MultiPolygon } from 'geojson';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type CardLine, fetchJson, StatusError } from '../../browser/map-view.ts';
import type { Area } from './view-address.ts';

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
  onCloseArea(): void;
  onAllMetros(): void;
  /** Draws the outline of a city or county; null removes it. */
  outline(shape: MultiPolygon | null): void;
}

interface SelectedPlace {
  /** Slug of the shown vertical */
  vertical: string;
  metro: { slug: string; label: string } | null;
  /** The chosen city or county */
  area: Area | null;
  zip: string | null;
  /** The class of the ZIP code’s score, as the map shows it before its figures have loaded */
  scoreLine: CardLine | null;
}

export function PlacePanel({ place, parts }: { place: SelectedPlace; parts: PlaceParts }) {
  const { zip, area, metro } = place;
  return (
    <>
      {zip !== null && <ZipDetails zip={zip} place={place} parts={parts} />}
      {area && <AreaDetails area={area} isHidden={zip !== null} place={place} parts={parts} />}
      {zip === null && !area && metro && <MetroDetails metro={metro} place={place} parts={parts} />}
    </>
  );
}

/** The fields of the API's `PublicZipProfile` that are shown */
interface ZipProfile {
  demographics: Readonly<Record<string, number | string | null>>;
  scores: readonly { verticalSlug: string; score: number }[];
}

function ZipDetails({
  zip,
  place,
  parts,
}: {
  zip: string;
  place: SelectedPlace;
  parts: PlaceParts;
}) {
  const { api, site, verticals, fillOf, onCloseZip } = parts;
  const profile = useJson<ZipProfile>(`${api}/public/zip/${zip}`);
  const outer = place.area?.label ?? place.metro?.label ?? 'all metros';
  return (
    <section class="place" aria-labelledby="place-title">
      <button type="button" class="quiet-button back" onClick={onCloseZip}>
        Back to {outer}
      </button>
      <h2 id="place-title">{zip}</h2>
      <p class="headline">
        {profile.state === 'loaded' ? (
          <Headline profile={profile.content} place={place} parts={parts} />
        ) : (
          place.scoreLine && <span class={place.scoreLine[1]}>{place.scoreLine[0]}</span>
        )}
      </p>
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

/** The score of the shown vertical, before those of the others */
function Headline({
  profile: { scores },
  place: { vertical },
  parts: { verticals, fillOf },
}: {
  profile: ZipProfile;
  place: SelectedPlace;
  parts: PlaceParts;
}) {
  const score = scores.find(({ verticalSlug }) => verticalSlug === vertical)?.score ?? null;
  return (
    <>
      <span class={`chip ${fillOf(score)}`}>{score ?? '–'}</span> {verticals.get(vertical)} score
    </>
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
interface Figures {
  zipCount: number;
  scoredZipCount: number;
  averageScore: number | null;
  scoreDistribution: readonly { from: number; to: number; count: number }[];
  topZips: readonly { zipCode: string; city: string | null; state: string | null; score: number }[];
  sampled: boolean;
}

interface MetroProps {
  metro: NonNullable<SelectedPlace['metro']>;
  place: SelectedPlace;
  parts: PlaceParts;
}

function MetroDetails({ metro, place: { vertical }, parts }: MetroProps) {
  const { api, site, verticals, onAllMetros } = parts;
  const figures = useJson<Figures>(`${api}/public/metro/${metro.slug}/vertical/${vertical}`);
  return (
    <section class="place" aria-labelledby="place-title">
      <button type="button" class="quiet-button back" onClick={onAllMetros}>
        All metros
      </button>
      <h2 id="place-title">{metro.label}</h2>
      <FiguresOf loaded={figures} parts={parts}>
        <p>
          <a href={`${site}/metros/${metro.slug}/${vertical}`}>
            {verticals.get(vertical)} in {metro.label}
          </a>
        </p>
      </FiguresOf>
    </section>
  );
}

interface AreaProps {
  area: Area;
  /** Whether a ZIP code is shown instead. The outline stays on the map */
  isHidden: boolean;
  place: SelectedPlace;
  parts: PlaceParts;
}

/** A city or county */
function AreaDetails({ area: { kind, label }, isHidden, place, parts }: AreaProps) {
  const { site, outline, onCloseArea } = parts;
  const figures = useJson<Figures & { outline: MultiPolygon | null }>(
    `${site}/explore/${place.vertical}/${kind}/${encodeURIComponent(label)}`,
  );
  const shape = figures.state === 'loaded' ? figures.content.outline : null;
  useEffect(() => {
    if (shape) outline(shape);
  }, [shape, outline]);
  useEffect(() => () => outline(null), [outline, kind, label]);
  if (isHidden) return null;
  return (
    <section class="place" aria-labelledby="place-title">
      <button type="button" class="quiet-button back" onClick={onCloseArea}>
        {place.metro ? `All of ${place.metro.label}` : 'All metros'}
      </button>
      <h2 id="place-title">{label}</h2>
      <FiguresOf loaded={figures} parts={parts} />
    </section>
  );
}

interface FiguresProps {
  loaded: Loaded<Figures>;
  parts: PlaceParts;
  children?: ComponentChildren;
}

/** The scores of several ZIP codes, and a list of the best */
function FiguresOf({ loaded, parts: { fillOf, onZip }, children }: FiguresProps) {
  return (
    <Content loaded={loaded}>
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
              : 'ZIP codes by score'}
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
          {children}
        </>
      )}
    </Content>
  );
}

interface DistributionProps {
  bins: Figures['scoreDistribution'];
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

/** Loads JSON of the public API for components. */
type Loaded<T> =
  | { state: 'loading' }
  | { state: 'loaded'; content: T }
  | { state: 'failed'; problem: string };

/** Loads a URL. The old content is dropped as soon as the URL changes. */
function useJson<T>(url: string): Loaded<T> {
  const [answer, setAnswer] = useState<{ url: string; loaded: Loaded<T> } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const show = (loaded: Loaded<T>) => {
      if (isCurrent) setAnswer({ url, loaded });
    };
    fetchJson<T>(url).then(
      (content) => show({ state: 'loaded', content }),
      (error: unknown) => show({ state: 'failed', problem: explain(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [url]);
  return answer?.url === url ? answer.loaded : { state: 'loading' };
}

function explain(error: unknown): string {
  if (!(error instanceof StatusError)) {
    return 'The figures couldn’t be loaded. Check your connection and try again.';
  }
  if (error.status === 429)
    return 'Too many places opened in a short time. Wait a minute, then try again.';
  if (error.status === 404) return 'There are no public figures for this place.';
  return 'The figures couldn’t be loaded. Try again later.';
}
