/**
 * The reference of the interface, drawn from its contract in the reader's browser by Swagger UI: the
 * renderer that is best kept, asks nothing of another origin, and lives with a policy that allows no
 * inline script or style.
 */
import { html } from '../html.ts';
import type { Links } from '../links.ts';
import { REFERENCE } from './documentation.ts';
import { docsFrame, type Group } from './frame.ts';
import { swaggerPath } from './swagger-ui.ts';

export function referenceHtml(groups: readonly Group[], links: Links): string {
  const article = html`<link rel="stylesheet" href="${links.page(swaggerPath('swagger-ui.css'))}" />
    <h1>API reference</h1>
    <noscript>
      <p>
        This page needs JavaScript. All it says is also in
        <a href="${links.page('/llms-full.txt')}">llms-full.txt</a>.
      </p>
    </noscript>
    <div id="reference" data-contract="${links.api('/openapi.json')}"></div>
    <script src="${links.page(swaggerPath('swagger-ui.js'))}"></script>`;
  const content = {
    ...REFERENCE,
    title: 'API reference',
    description: 'Every operation of the interface, with its parameters, answers and examples.',
    assets: ['docs/reference.css', 'docs/reference/script.ts'] as const,
    article,
  };
  return docsFrame(content, groups, links);
}
