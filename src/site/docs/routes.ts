/** The documentation at the site's root: each page as HTML and, beside it, as Markdown. */
import type { Roots } from '../../contract/openapi/about.ts';
import type { Operation } from '../../contract/operation.ts';
import { Links } from '../links.ts';
import { HTML, MARKDOWN, sitePage, type SitePage } from '../page.ts';
import type { DocPage } from './blocks.ts';
import { DOCS_PATHS, documentation, REFERENCE } from './documentation.ts';
import { docHtml } from './frame.ts';
import { referenceHtml } from './reference.ts';
import { swaggerAssets } from './swagger-ui.ts';
import { docMarkdown } from './to-markdown.ts';

/** After an update of the service, browsers show the new pages within the hour. */
const MAX_AGE_SECONDS = 3600;

/** @param roots where people reach the site; known once the service listens */
export function docsPages(operations: readonly Operation[], roots: () => Roots): SitePage[] {
  const all = () => documentation({ roots: roots(), operations });
  const links = () => new Links(roots());
  const pageAt = (path: string): DocPage => all().pages.find((page) => page.path === path)!;
  const common = { maxAgeSeconds: MAX_AGE_SECONDS };
  // RFC 8631
  const describedBy = () => `<${roots().api}/openapi.json>; rel="service-desc"`;
  return [
    ...DOCS_PATHS.filter((path) => path !== REFERENCE.path).flatMap((path) => [
      sitePage({
        ...common,
        path,
        type: HTML,
        headers: () => ({
          Link: `${describedBy()}, <${links().page(`${path}.md`)}>; rel="alternate"; type="text/markdown"`,
        }),
        make: async () => docHtml(pageAt(path), all().groups, links()),
      }),
      sitePage({
        ...common,
        path: `${path}.md`,
        type: MARKDOWN,
        make: async () => docMarkdown(pageAt(path), links()),
      }),
    ]),
    sitePage({
      ...common,
      path: REFERENCE.path,
      type: HTML,
      headers: () => ({ Link: describedBy() }),
      make: async () => referenceHtml(all().groups, links()),
    }),
    ...swaggerAssets(),
  ];
}
