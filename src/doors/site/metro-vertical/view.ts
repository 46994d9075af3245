/** A vertical in a metro: map, figures, best ZIP codes, and links to related pages. */
import type { Complete } from '../../../base/contract/resources.ts';
import type { PublicMetroVertical } from '../../../base/contract/vertical-resources.ts';
import { signalsOf } from '../../../data/market/public/methodology.ts';
import { verticalBySlug } from '../../../data/scoring/verticals.ts';
import { STYLE_NAMES } from '../../../data/basemap/styles.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { distributionChart } from '../distribution-chart.ts';
import { median, percent } from '../format.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import {
  explorePath,
  mapPath,
  metroPath,
  METROS_PATH,
  metroVerticalPath,
  type Links,
} from '../links.ts';
import { mapFigure } from '../map-figure.ts';
import { breadcrumbs, definition, rankedZips, signalName, sourceNote } from '../parts.ts';
import { liveMap } from '../score-map-frame.ts';
import { byAverage, figuresIn, metrosByAverage, type Study } from '../study.ts';
import { formatCount, formatTenths, joinWithAnd } from '../../../base/text/words.ts';

type MetroVertical = Complete<typeof PublicMetroVertical>;

/** @param bbox extent of the metro */
export function metroVerticalPage(
  figures: MetroVertical,
  bbox: Bbox,
  study: Study,
  links: Links,
): string {
  const { metroSlug, metroLabel, verticalSlug, verticalLabel, scoredZipCount } = figures;
  const metro = study.metros.find((m) => m.metroSlug === metroSlug)!;
  const { medianScore, highDemandZipCount } = figuresIn(metro, verticalSlug);
  const rank = metrosByAverage(study, verticalSlug).findIndex((m) => m.metroSlug === metroSlug) + 1;
  const title = `${verticalLabel} demand in ${metroLabel}`;
  const share = scoredZipCount === 0 ? 0 : highDemandZipCount / scoredZipCount;
  const summary =
    `${formatCount(highDemandZipCount)} of ${formatCount(scoredZipCount)} scored ZIP codes in ` +
    `${metro.metroFullName} score 80 or more for ${verticalLabel}. Nationwide, one in five does.`;
  const path = metroVerticalPath(metroSlug, verticalSlug);
  const main = html`
    ${breadcrumbs(
      [
        ['/', 'Home'],
        [METROS_PATH, 'Metros'],
        [metroPath(metroSlug), metroLabel],
      ],
      verticalLabel,
      links,
    )}
    <h1>${title}</h1>
    <p class="lead">${summary}</p>
    ${sourceNote(study)}
    ${liveMap(
      {
        verticalSlug,
        verticalLabel,
        bbox,
        picture: mapFigure(
          {
            metroSlug,
            verticalSlug,
            first: true,
            alt:
              `Map of ${metro.metroFullName}: ${formatCount(figures.zipCount)} ZIP codes colored by their ` +
              `${verticalLabel} score in five classes. Of those with a score, ${percent(share)} are in ` +
              'the highest, 80 to 100.',
          },
          links,
        ),
        caption: html`${formatCount(figures.zipCount)} ZIP codes, ${formatCount(scoredZipCount)}
          with a score.
          <a href="${links.page(explorePath(verticalSlug))}#metro=${metroSlug}">Explore the map</a>,
          or embed it as
          ${STYLE_NAMES.map(
            (style, i) =>
              html`${i > 0 && ', '}<a
                  href="${links.map({
                    metroSlug,
                    verticalSlug,
                    size: '1200x800',
                    ratio: 2,
                    style,
                  })}"
                  >${style}</a
                >`,
          )}
          picture.`,
      },
      links,
    )}
    <dl class="figures">
      ${definition('Average score', formatTenths(figures.averageScore))}
      ${definition('Median score', median(medianScore))}
      ${definition('ZIP codes at 80+', percent(share))}
      ${definition('Rank by average', `${rank} of ${study.metros.length}`)}
    </dl>
    <div class="columns">
      <section>
        <h2>Score distribution</h2>
        ${distributionChart(
          figures.scoreDistribution,
          `Histogram of ${verticalLabel} scores in ${metroLabel}, in ten bins from 0 to 100`,
        )}
        <h2>What the score means</h2>
        ${meaning(verticalSlug, links)}
      </section>
      <section>
        <h2>Best ZIP codes</h2>
        ${rankedZips(
          figures.topZips,
          figures.sampled
            ? `Sample: top ${figures.topZips.length} of ${formatCount(scoredZipCount)}`
            : 'All scored ZIP codes',
          links,
        )}
        <p class="quiet">
          Get the full ranking with an API key. See the
          <a href="${links.page('/docs')}">documentation</a>.
        </p>
      </section>
    </div>
    ${elsewhere(figures, study, links)}
  `;
  const structuredData = dataset(title, summary, path, figures, study, links);
  const map = { metroSlug, verticalSlug };
  return renderPage(
    {
      title,
      description: summary,
      path,
      map,
      structuredData,
      main,
      assets: ['browser/live-map.ts'],
      hasMap: 'later',
    },
    links,
  );
}

function meaning(verticalSlug: string, links: Links): Html {
  const { label, inputs } = verticalBySlug(verticalSlug);
  const heaviest = signalsOf(verticalBySlug(verticalSlug)).slice(0, 3);
  return html`<p>
      A score of 83 means that the ZIP code fits ${label} better than about 83% of all scored US ZIP
      codes. The ${inputs.length} signals with the largest weights include:
    </p>
    <ul>
      ${heaviest.map(
        (signal) =>
          html`<li>
            <strong>${signalName(signal)}</strong> (${percent(signal.weight)}). ${signal.reason}
          </li>`,
      )}
    </ul>
    <p>
      <a href="${links.vertical(verticalSlug)}">All signals of ${label}</a> ·
      <a href="${links.page('/methodology')}">Methodology</a>
    </p>`;
}

function elsewhere(
  { metroSlug, metroLabel, verticalSlug, verticalLabel }: MetroVertical,
  study: Study,
  links: Links,
): Html {
  const labels = new Map(study.verticals.map((v) => [v.verticalSlug, v.verticalLabel]));
  const metro = study.metros.find((m) => m.metroSlug === metroSlug)!;
  const others = byAverage(metro.verticals).filter((v) => v.verticalSlug !== verticalSlug);
  const metros = metrosByAverage(study, verticalSlug).filter((m) => m.metroSlug !== metroSlug);
  return html`<section>
      <h2>Other verticals in ${metroLabel}</h2>
      <ul class="tiles">
        ${others.map((v) =>
          tile(links.metroVertical(metroSlug, v.verticalSlug), labels.get(v.verticalSlug)!, v),
        )}
      </ul>
    </section>
    <section>
      <h2>${verticalLabel} in other metros</h2>
      <ul class="tiles">
        ${metros.map((m) => tile(links.metroVertical(m.metroSlug, verticalSlug), m.metroLabel, m))}
      </ul>
      <p class="quiet">Numbers are average scores.</p>
    </section>`;
}

function tile(url: string, label: string, { averageScore }: { averageScore: number | null }): Html {
  return html`<li>
    <a href="${url}">${label}</a> <span class="quiet">${formatTenths(averageScore)}</span>
  </li>`;
}

/** https://schema.org/Dataset */
function dataset(
  name: string,
  description: string,
  path: string,
  { metroSlug, verticalSlug, verticalLabel, vintage }: MetroVertical,
  study: Study,
  links: Links,
) {
  const metro = study.metros.find((m) => m.metroSlug === metroSlug)!;
  return {
    '@type': 'Dataset',
    name,
    description: `${description} Source: ${vintage}.`,
    url: links.absolute(path),
    dateModified: study.updatedAt,
    spatialCoverage: { '@type': 'Place', name: metro.metroFullName },
    variableMeasured: `${verticalLabel} demand score by ZIP code, 0 to 100`,
    image: links.absoluteApi(mapPath({ metroSlug, verticalSlug, size: '1200x630' })),
    isPartOf: links.absolute('/data-study'),
    distribution: {
      '@type': 'DataDownload',
      encodingFormat: 'application/json',
      contentUrl: links.absoluteApi(`/public/metro/${metroSlug}/vertical/${verticalSlug}`),
    },
    keywords: joinWithAnd([verticalLabel, metro.metroLabel, 'ZIP codes']),
  };
}
