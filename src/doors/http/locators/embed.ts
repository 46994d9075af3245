/** The addresses of a locator, and the HTML that puts it on a website. */
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { escapeHtml } from '../../../base/text/escape-html.ts';
import { defaultWords } from '../../../territories/serving/locator-words.ts';
import type { Locator } from '../../../territories/serving/locators.ts';
import { locatorPagePath } from '../../../territories/share/token.ts';

/** Path of the web component's script, which keeps its address forever */
export const COMPONENT_PATH = '/locator.js';

export function locatorLinks(
  { code, words }: Pick<Locator, 'code' | 'words'>,
  { api, site }: Roots,
) {
  const page = site + locatorPagePath(code);
  const answers = `${api}/locators/${code}`;
  const heading = escapeHtml(words.en?.heading ?? defaultWords('en', false).heading);
  return {
    page,
    api: answers,
    /** Without scripts, visitors see the link. */
    component:
      `<script type="module" src="${site}${COMPONENT_PATH}"></script>\n` +
      `<territory-locator src="${answers}"><a href="${page}">${heading}</a></territory-locator>`,
    iframe:
      `<iframe src="${page}?embed=1" title="${heading}" width="100%" height="640" ` +
      'style="border:0;max-width:36rem" loading="lazy"></iframe>',
  };
}
