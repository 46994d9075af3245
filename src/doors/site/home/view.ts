/** The home page: what the service does for whom, how to start, and links to its parts. */
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { heatTable } from '../heat-table.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { Links } from '../links.ts';
import { mapFigure } from '../map-figure.ts';
import { sourceNote } from '../parts.ts';
import type { Study } from '../study.ts';
import { verticalCards } from '../vertical-cards.ts';

const SHOWN = { metroSlug: 'dallas-tx', verticalSlug: 'roofing' } as const;

export function homePage(study: Study, links: Links): string {
  const title = 'Territories for home-services brands, ZIP code by ZIP code';
  const description =
    `Plan, review, and share territories on maps, with a demand score from 0 to 100 for every US ZIP code ` +
    `in ${VERTICALS.length} home-services verticals. For franchise managers, agencies, and developers.`;
  const main = html`
    <div class="hero">
      <h1>${title}</h1>
      <p class="lead">${description}</p>
      <p class="actions">
        <a class="button" href="${links.page('/signup')}">Start a free trial</a>
        <a href="${links.page('/login')}">Sign in</a>
        <a href="${links.page('/explore')}">Explore the map</a>
      </p>
      <p class="quiet">14 days of the full service. No card needed.</p>
    </div>
    ${mapFigure(
      {
        ...SHOWN,
        first: true,
        alt:
          'Map of the ZIP codes around Dallas and Fort Worth, colored by their roofing score in ' +
          'five classes from 0–19 to 80–100.',
        caption: html`Roofing demand around Dallas and Fort Worth.
          <a href="${links.metroVertical(SHOWN.metroSlug, SHOWN.verticalSlug)}">See the scores</a>`,
      },
      links,
    )}
    ${sourceNote(study)} ${audiences(links)}
    <section>
      <h2>${VERTICALS.length} verticals</h2>
      <p>
        Each has its own score. Its signals measure how many households could buy and how likely
        they are to. <a href="${links.page('/methodology')}">How scores work</a>
      </p>
      ${verticalCards(study, links)}
    </section>
    <section>
      <h2>${study.metros.length} metros</h2>
      ${heatTable(study, links)}
    </section>
    ${access(links)}
  `;
  return renderPage({ title, description, path: '/', map: SHOWN, main }, links);
}

/** What the service does for whom */
function audiences(links: Links): Html {
  const audience = (title: string, points: readonly string[], path: string, label: string) =>
    html`<section class="audience">
      <h2>${title}</h2>
      <ul>
        ${points.map((point) => html`<li>${point}</li>`)}
      </ul>
      <p><a href="${links.page(path)}">${label}</a></p>
    </section>`;
  return html`<div class="audiences">
    ${audience(
      'For franchise managers',
      [
        'Propose and draw territories by households, drive time, and demand, and compare plans before anything changes.',
        'Keep franchisees from overlapping with rules, and reserve ZIP codes for a sale.',
        'Review each request with its map and its effect, with a log of who decided what.',
        'Attach a territory to an agreement as an exhibit: a PDF with maps and every ZIP code.',
      ],
      '/signup',
      'Start with your ZIP code',
    )}
    ${audience(
      'For agencies',
      [
        'Find the ZIP codes where a client’s trade is in demand, by public weights or your own.',
        'Upload jobs or revenue to see white space: strong demand, little sold.',
        'Share live maps with a link, in the client’s colors and with their logo.',
        'Put pictures of territories into reports and pages.',
      ],
      '/explore',
      'Explore demand on the map',
    )}
    ${audience(
      'For developers',
      [
        'Everything over REST, with an OpenAPI document, and over MCP for AI agents.',
        'Signed webhooks and a feed of events tell a CRM when a territory changes.',
        'Vector tiles and styles for MapLibre GL, and maps as PNG.',
        'Run it yourself on PostgreSQL, with census files of your choice.',
      ],
      '/docs',
      'Read the documentation',
    )}
  </div>`;
}

function access(links: Links): Html {
  const example = links.absoluteApi('/public/metro/dallas-tx/vertical/roofing/best-zips');
  return html`<section>
    <h2>Use the data</h2>
    <p>
      The data on these pages needs no API key: figures and samples for the launched metros as JSON,
      the <a href="${links.page('/data-study')}">data study</a> as CSV, maps as PNG, and vector
      tiles with styles for MapLibre GL.
    </p>
    <pre tabindex="0"><code>curl ${example}</code></pre>
    <p>
      With an API key, you get full rankings, territory plans, and brand territories, over REST and
      over MCP for AI agents. Start with the
      <a href="${links.page('/docs')}">documentation</a>. Agents start with
      <a href="${links.page('/llms.txt')}">llms.txt</a>.
    </p>
  </section>`;
}
