/** Routes of the documentation: each guide as HTML and as Markdown, and the reference. */
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { Links } from '../links.ts';
import type { Operation } from '../../../base/contract/operation.ts';
import { data } from '../framework/data.ts';
import { page } from '../framework/page.ts';
import { MARKDOWN } from '../media-types.ts';
import { guidePage, docsFrame } from './frame.ts';
import { GUIDES, REFERENCE } from './guides.ts';
import { guideMarkdown } from './markdown.ts';
import { pictureNames, picturePath, readPicture } from './pictures.ts';
import { swaggerAssets, swaggerPath } from './swagger-ui.ts';
import { html, scriptElement } from '../html.ts';

/** After an update of the service, browsers show the new pages within an hour. */
const MAX_AGE_SECONDS = 3600;

/** @param roots the addresses of the site and the API, available once the service listens */
export function docsPages(roots: () => Roots): Operation[] {
  const links = () => new Links(roots());
  const common = { maxAgeSeconds: MAX_AGE_SECONDS };
  // RFC 8631
  const describedBy = () => `<${roots().api}/openapi.json>; rel="service-desc"`;
  return [
    ...GUIDES.flatMap((guide) => [
      page({
        audience: 'public',
        ...common,
        path: guide.path,
        headers: () => ({
          Link: `${describedBy()}, <${links().page(`${guide.path}.md`)}>; rel="alternate"; type="text/markdown"`,
        }),
        make: async () => guidePage(guide, links()),
      }),
      data({
        audience: 'public',
        ...common,
        path: `${guide.path}.md`,
        type: MARKDOWN,
        make: async () => guideMarkdown(guide.markdown, links()),
      }),
    ]),
    page({
      audience: 'public',
      ...common,
      path: REFERENCE.path,
      headers: () => ({ Link: describedBy() }),
      make: async () => referenceHtml(links()),
    }),
    ...pictureNames().map((name) =>
      data({
        audience: 'public',
        ...common,
        path: picturePath(`pictures/${name}`),
        type: 'image/webp',
        make: async () => readPicture(name),
      }),
    ),
    ...swaggerAssets(),
  ];
}

/**
 * The API reference. Swagger UI renders the contract in the browser. It is well maintained, loads nothing
 * from other origins, and works with a policy that forbids inline scripts and styles.
 */
function referenceHtml(links: Links): string {
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
