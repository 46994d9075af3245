/** All verticals. */
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { joinWithAnd } from '../../../base/text/words.ts';
import { html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { verticalPath, VERTICALS_PATH, type Links } from '../links.ts';
import { breadcrumbs, itemList, sourceNote } from '../parts.ts';
import type { Study } from '../study.ts';
import { verticalCards } from '../vertical-cards.ts';

export function verticalsPage(study: Study, links: Links): string {
  const title = `${VERTICALS.length} home-services verticals`;
  const description =
    `Demand scores by ZIP code for ${joinWithAnd(VERTICALS.map(({ label }) => label))}: the ` +
    'signals behind each score, and the metros with the highest averages.';
  const main = html`
    ${breadcrumbs([['/', 'Home']], 'Verticals', links)}
    <h1>${title}</h1>
    <p class="lead">
      Each vertical has its own score. Its signals measure how many households could buy and how
      likely they are to.
    </p>
    ${sourceNote(study)}
    <section>
      <h2>Signals with the largest weights</h2>
      ${verticalCards(study, links)}
      <p class="actions"><a href="${links.page('/methodology')}">How scores work</a></p>
    </section>
  `;
  const items = VERTICALS.map(({ slug, label }) => ({ name: label, path: verticalPath(slug) }));
  const structuredData = itemList(title, items, links);
  return renderPage({ title, description, path: VERTICALS_PATH, structuredData, main }, links);
}
