/** The HTML document that contains a page. */
import {
  assetPath,
  FAVICON_PATH,
  FONTS,
  importedPaths,
  isScript,
  type AssetName,
} from './assets.ts';
import { html, scriptElement, type Html } from './html.ts';
import type { Links } from './links.ts';
import { maplibrePath } from './maplibre.ts';

interface DocumentContent {
  /** Title, metadata, and links of this document */
  head: Html;
  body: Html;
  /** Language of the page. Default: `en` */
  language?: string;
  /** CSS classes of the body */
  kind?: string | undefined;
  /** A script that runs at once, so that the other scripts wait less. It needs only elements in `head` */
  early?: AssetName;
  /** Stylesheets besides `site.css`, and scripts, which run after the document has been parsed */
  assets?: readonly AssetName[];
  /**
   * Whether the page has a MapLibre GL map. `later` replaces a picture with it after the page has loaded
   */
  hasMap?: boolean | 'later';
}

const MODULE = 'type="module"';

/** Returns the document without the indentation of its templates. */
export function htmlDocument(content: DocumentContent, links: Links): string {
  const { head, body, language = 'en', kind, early, assets = [], hasMap = false } = content;
  const sheet = (path: string) => html`<link rel="stylesheet" href="${links.page(path)}" />`;
  const modulePreload = (path: string) =>
    html`<link rel="modulepreload" href="${links.page(path)}" />`;
  const asset = (name: AssetName) =>
    isScript(name) ? scriptElement(links.page(assetPath(name)), MODULE) : sheet(assetPath(name));
  // Otherwise, a browser would discover each module only after loading the one that imports it.
  const imports = [...new Set(assets.filter(isScript).flatMap((name) => importedPaths(name)))];
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${head}
        ${
          early &&
          html`${scriptElement(links.page(assetPath(early)), `${MODULE} async`)}
          ${importedPaths(early).map(modulePreload)}`
        }
        <link rel="icon" type="image/svg+xml" href="${links.page(FAVICON_PATH)}" />
        ${FONTS.map(
          ({ path }) =>
            html`<link
              rel="preload"
              as="font"
              type="font/woff2"
              href="${links.page(path)}"
              crossorigin
            />`,
        )}
        ${
          hasMap &&
          html`${sheet(maplibrePath('maplibre-gl.css'))} ${sheet(assetPath('browser/map-view.css'))}`
        }
        ${hasMap === true && modulePreload(maplibrePath('maplibre-gl.mjs'))}
        ${sheet(assetPath('site.css'))} ${assets.map(asset)} ${imports.map(modulePreload)}
      </head>
      <body ${kind && html`class="${kind}"`}>
        ${body}
      </body>
    </html> `.text.replaceAll(/\n\s+/g, '\n');
}
