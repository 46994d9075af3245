/**
 * The API reference. Swagger UI renders the contract in the browser. It is well maintained, loads nothing
 * from other origins, and works with a policy that forbids inline scripts and styles.
 */
import { html, scriptElement } from '../html.ts';
import type { Links } from '../links.ts';
import { docsFrame } from './frame.ts';
import { REFERENCE } from './guides.ts';
import { swaggerPath } from './swagger-ui.ts';

export function referenceHtml(links: Links): string {
  const article = html`<link rel="stylesheet" href="${links.page(swaggerPath('swagger-ui.css'))}" />
    <h1>API reference</h1>
    <noscript>
      <p>
        This page needs JavaScript. The same information is in
        <a href="${links.page('/llms-full.txt')}">llms-full.txt</a>.
      </p>
    </noscript>
    <div id="reference" data-contract="${links.api('/openapi.json')}"></div>
    ${scriptElement(links.page(swaggerPath('swagger-ui.js')))}`;
  const content = {
    ...REFERENCE,
    title: 'API reference',
    description: 'Every operation of the API, with its parameters, responses, and examples.',
    assets: ['docs/reference.css', 'docs/reference/script.ts'] as const,
    article,
  };
  return docsFrame(content, links);
}
