/** HTML templates. They escape all values except HTML. */
import { escapeHtml } from '../../base/text/escape-html.ts';

/** HTML that templates insert without escaping. Only the functions of this file create it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Null, undefined, and false insert nothing, so templates can use `condition && …`. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Values may be between tags and in quoted attributes. Items of lists are concatenated. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(escapeValue)));
}

/** A script element with data for crawlers. Browsers don't run it. */
export function dataBlock(type: string, data: unknown): Html {
  // `<` is written as a JSON escape, so that no text can end the element.
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
  return new Html(`<script type="${type}">${json}</script>`);
}

/**
 * Returns a script element. In a tagged template, the compiler would replace `</script>` with code that needs
 * another package.
 * @param attributes such as `type="module"`
 */
export const scriptElement = (url: string, attributes = '') =>
  new Html(`<script ${attributes} src="${escapeHtml(url)}"></script>`);

/** Returns a style element with exactly this text, whose hash is in the page's content security policy. */
export const styleElement = (css: string) => new Html(`<style>${css}</style>`);

/** Text for a `pre` element. Line breaks written as entities survive the trimming of templates. */
export const preformatted = (text: string) => new Html(escapeValue(text).replaceAll('\n', '&#10;'));

function escapeValue(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(escapeValue).join('');
  return escapeHtml(String(value));
}
