/**
 * The reference of the interface, drawn from its contract in the reader's browser by Swagger UI: the
 * renderer that is best kept, asks nothing of another origin, and lives with a policy that allows no
 * inline script or style.
 */
import type { Roots } from '../contract/openapi/about.ts';
import { docsAssets, versioned } from './docs-assets.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import { Links } from './links.ts';
import { HTML, sitePage, type SitePage } from './page.ts';

export function docsPages(roots: () => Roots): SitePage[] {
  return [
    sitePage({
      path: '/docs',
      type: HTML,
      // RFC 8631
      headers: () => ({ Link: `<${roots().api}/openapi.json>; rel="service-desc"` }),
      make: async () => docsHtml(new Links(roots())),
    }),
    ...docsAssets(),
  ];
}

function docsHtml(links: Links): string {
  const asset = (path: Parameters<typeof versioned>[0]) => links.page(versioned(path));
  const main = html`<link rel="stylesheet" href="${asset('/docs/swagger-ui.css')}" />
    <link rel="stylesheet" href="${asset('/docs/docs.css')}" />
    <h1>API reference</h1>
    <noscript>
      <p>
        This page needs JavaScript. All it says is also in
        <a href="${links.page('/llms-full.txt')}">llms-full.txt</a>.
      </p>
    </noscript>
    <div id="reference" data-contract="${links.api('/openapi.json')}"></div>
    <script src="${asset('/docs/swagger-ui.js')}"></script>
    <script src="${asset('/docs/docs.js')}"></script>`;
  const content = {
    title: 'API reference',
    description: 'Every operation of the interface, with its parameters, answers and examples.',
    path: '/docs',
    main,
  };
  return page(content, links);
}
