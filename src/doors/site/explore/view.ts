/**
 * The public map: verticals, metros by average score, and a map of the scores of their ZIP codes. The
 * script creates the map, moves to a metro instead of opening its page, and describes the place on the map.
 * Without it, the page is a list of links and a picture.
 */
import { VERTICALS, type Vertical } from '../../../data/scoring/verticals.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { COUNTRY } from '../../../base/spatial/bbox.ts';
import { formatTenths } from '../../../base/text/words.ts';
import { shadeAmong } from '../colors.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { explorePath, type Links } from '../links.ts';
import { sourceNote } from '../parts.ts';
import { bboxText, scoreLegend, scoreMapAttributes } from '../score-map-frame.ts';
import { metrosByAverage, type Study } from '../study.ts';

interface ExplorePage {
  vertical: Vertical;
  path: string;
  /** By slug of the metro */
  extents: ReadonlyMap<string, Bbox>;
}

export function explorePage(
  { vertical, path, extents }: ExplorePage,
  study: Study,
  links: Links,
): string {
  const { slug: verticalSlug, label } = vertical;
  const isOfVertical = path === explorePath(verticalSlug);
  const title = isOfVertical ? `${label} demand map` : 'Map of demand by ZIP code';
  const description =
    `Interactive map of ${label} demand in ${study.metros.length} US metros: every ZIP code colored ` +
    'by its score. Compare verticals, find a place, and share what you see.';
  const metros = metrosByAverage(study, verticalSlug);
  const shade = shadeAmong(metros.map(({ averageScore }) => averageScore));
  const main = html`<div class="explore">
    <div class="controls">
      <h1>${label} demand</h1>
      <div id="search"></div>
      ${verticalLinks(verticalSlug, links)}
    </div>
    ${mapSection({ vertical, metro: metros[0]!, bbox: extentOf(extents) }, links)}
    <div class="panel">
      <div id="place" aria-live="polite"></div>
      <section id="metros" aria-labelledby="metros-title">
        <h2 id="metros-title">Metros by average score</h2>
        <ol>
          ${metros.map((metro) => metroEntry(metro, shade, verticalSlug, extents, links))}
        </ol>
        <p class="quiet">The shades compare these metros with each other.</p>
        ${sourceNote(study)}
        <p class="quiet">
          A score of 83 means more demand than in about 83% of US ZIP codes.
          <a href="${links.vertical(verticalSlug)}">What drives the ${label} score</a>
        </p>
        <p class="quiet">
          With an account, you see every state, choose ZIP codes, and plan territories.
          <a href="${links.page('/signup')}">Create an account</a>
        </p>
      </section>
    </div>
  </div>`;
  return renderPage(
    {
      title,
      description,
      path,
      main,
      map: { metroSlug: metros[0]!.metroSlug, verticalSlug },
      assets: ['explore/style.css', 'explore/script.tsx'],
      hasMap: true,
      fillsScreen: true,
    },
    links,
  );
}

const verticalLinks = (current: string, links: Links): Html =>
  html`<nav class="verticals" aria-label="Verticals">
    <ul>
      ${VERTICALS.map(
        ({ slug, label }) =>
          html`<li>
            <a
              href="${links.page(explorePath(slug))}"
              data-vertical="${slug}"
              ${slug === current && html`aria-current="page"`}
              >${label}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;

interface MetroEntry {
  metroSlug: string;
  metroLabel: string;
  averageScore: number | null;
}

function metroEntry(
  { metroSlug, metroLabel, averageScore }: MetroEntry,
  shade: (average: number | null) => string,
  verticalSlug: string,
  extents: ReadonlyMap<string, Bbox>,
  links: Links,
): Html {
  const bbox = extents.get(metroSlug);
  return html`<li>
    <a
      href="${links.metroVertical(metroSlug, verticalSlug)}"
      data-metro="${metroSlug}"
      data-average="${formatTenths(averageScore)}"
      ${bbox && html`data-bbox="${bboxText(bbox)}"`}
      >${metroLabel}</a
    >
    <span class="chip ${shade(averageScore)}">${formatTenths(averageScore)}</span>
  </li>`;
}

/** The extent of all metros. */
function extentOf(extents: ReadonlyMap<string, Bbox>): Bbox {
  if (extents.size === 0) return COUNTRY;
  const edge = (side: number) => [...extents.values()].map((bbox) => bbox[side]!);
  return [Math.min(...edge(0)), Math.min(...edge(1)), Math.max(...edge(2)), Math.max(...edge(3))];
}

interface MapSection {
  vertical: Vertical;
  /** The metro in the picture */
  metro: { metroSlug: string; metroFullName: string };
  bbox: Bbox;
}

function mapSection({ vertical, metro, bbox }: MapSection, links: Links): Html {
  const { slug: verticalSlug, label } = vertical;
  const { metroSlug, metroFullName } = metro;
  const picture = (style: 'light' | 'dark') =>
    links.map({ metroSlug, verticalSlug, size: '1200x800', style });
  return html`<section
    class="map-frame score-map"
    aria-label="Map"
    ${scoreMapAttributes({ verticalSlug, bbox }, links)}
  >
    <noscript>
      <picture>
        <source media="(prefers-color-scheme: dark)" srcset="${picture('dark')}" />
        <img
          class="picture"
          src="${picture('light')}"
          width="1200"
          height="800"
          alt="Map of ${metroFullName}: ZIP codes colored by their ${label} score. The map of all metros needs JavaScript."
        />
      </picture>
    </noscript>
    <div class="map"></div>
    ${scoreLegend(label)}
    <p class="failure" role="status"></p>
  </section>`;
}
