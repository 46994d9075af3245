/** The home page: what the service does, and links to its parts. */
import { VERTICALS } from '../../scoring/verticals.ts';
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
  const title = 'Home-services demand by ZIP code';
  const description =
    `Every US ZIP code scored from 0 to 100 for demand in ${VERTICALS.length} home-services ` +
    'verticals and shown on maps. For roofers, HVAC companies, plumbers, agencies, and ' +
    'franchise groups.';
  const main = html`
    <div class="hero">
      <h1>${title}</h1>
      <p class="lead">${description}</p>
      <p class="actions">
        <a class="button" href="${links.metroVertical(SHOWN.metroSlug, SHOWN.verticalSlug)}"
          >See roofing in Dallas</a
        >
        <a href="${links.page('/explore')}">Explore the map</a>
        <a href="${links.page('/methodology')}">How scores work</a>
      </p>
    </div>
    ${mapFigure(
      {
        ...SHOWN,
        first: true,
        alt:
          'Map of the ZIP codes around Dallas and Fort Worth, colored by their roofing score in ' +
          'five classes from 0–19 to 80–100.',
      },
      links,
    )}
    ${sourceNote(study)}
    <section>
      <h2>${VERTICALS.length} verticals</h2>
      <p>
        Each vertical has its own score. Its signals measure how many households could buy and how
        likely they are to.
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
