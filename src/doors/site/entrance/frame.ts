/** The frame of a page with a single task, such as signing in. */
import type { AssetName } from '../assets.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { Links } from '../links.ts';
import { notice } from '../notices.ts';

export function entrancePage(
  {
    title,
    done = null,
    assets = [],
    main,
  }: { title: string; done?: string | null; assets?: readonly AssetName[]; main: Html },
  links: Links,
): string {
  return renderPage(
    {
      title,
      description: `${title}.`,
      path: null,
      assets,
      main: html`<div class="entrance">
        <h1>${title}</h1>
        ${notice(done)} ${main}
      </div>`,
    },
    links,
  );
}
