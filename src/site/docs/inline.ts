/** The Markdown within a text: `code`, **strong**, [links](/methodology). */
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';

const PIECE = /\*\*([^*]+)\*\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

export function inlineHtml(markdown: string, links: Links): Html {
  const pieces: Html[] = [];
  let end = 0;
  for (const match of markdown.matchAll(PIECE)) {
    const [whole, strong, code, label, target] = match;
    pieces.push(html`${markdown.slice(end, match.index)}`);
    if (code !== undefined) pieces.push(html`<code>${code}</code>`);
    else if (strong !== undefined) pieces.push(html`<strong>${inlineHtml(strong, links)}</strong>`);
    else {
      pieces.push(html`<a href="${hrefOf(target!, links)}">${inlineHtml(label!, links)}</a>`);
    }
    end = match.index + whole.length;
  }
  return html`${pieces}${markdown.slice(end)}`;
}

/** Links from the site's root work wherever that is. */
const hrefOf = (target: string, links: Links) =>
  target.startsWith('/') ? links.page(target) : target;

/** Without its marks, as it is searched */
export const plainText = (markdown: string): string =>
  markdown.replaceAll(
    PIECE,
    (_, strong?: string, code?: string, label?: string) => code ?? plainText(strong ?? label ?? ''),
  );

/** The same for who reads it elsewhere: addresses are whole. */
export const inlineMarkdown = (markdown: string, links: Links) =>
  markdown.replaceAll(/\]\((\/[^)\s]*)\)/g, (_, path: string) => `](${links.absolute(path)})`);
