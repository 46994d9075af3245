/** Routes of the documentation: each guide as HTML and as Markdown, and the reference. */
import type { Roots } from '../../contract/openapi/about.ts';
import { Links } from '../links.ts';
import type { Operation } from '../../contract/operation.ts';
import { data } from '../framework/data.ts';
import { page } from '../framework/page.ts';
import { MARKDOWN } from '../media-types.ts';
import { guidePage } from './frame.ts';
import { GUIDES, REFERENCE } from './guides.ts';
import { guideMarkdown } from './markdown.ts';
import { referenceHtml } from './reference.ts';
import { swaggerAssets } from './swagger-ui.ts';

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
    ...swaggerAssets(),
  ];
}
