/** HTML by template: what is put into it is text and is escaped, unless it is HTML already. */

/** A piece of HTML that may be put into another as it is. Only the functions of this file make it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Nothing comes of null, undefined and false, so that a piece can be left out by `condition && …`. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Values may stand between tags and in quoted attributes; lists are put one after the other. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(escaped)));
}

/** A script element that holds data for crawlers; no browser runs it. */
export function dataBlock(type: string, data: unknown): Html {
  // Nothing in it can end the element: `<` is written as JSON may write any character.
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
  return new Html(`<script type="${type}">${json}</script>`);
}

/** A text whose lines and spaces stay as they are, for a `pre` element, also where templates are trimmed. */
export const preformatted = (text: string) => new Html(escaped(text).replaceAll('\n', '&#10;'));

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(escaped).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
