/**
 * Renders guides with markdown-it, as HTML and as Markdown for clients without a browser.
 *
 * In guides, `http://localhost:3000` is a placeholder for the address of the service. Links to other guides
 * are relative (`rest.md#errors`), so they also work on a code host.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { slugOfName } from '../../../base/text/slug.ts';
import { Html, html, preformatted } from '../html.ts';
import type { Links } from '../links.ts';
import { PICTURE_SIZE, picturePath } from './pictures.ts';

/** A part of a guide, from one heading to the next. */
export interface Section {
  title: string;
  anchor: string;
  /** 1 for the part before the first section, which contains the guide's title; then 2 or 3 */
  level: number;
  /** Plain text, code included */
  text: string;
}

/** State that the renderer rules share while they render a guide. */
interface RenderState {
  links: Links;
  /** Text of the last heading: the accessible name of a table */
  heading: string;
  /** Whether the lead paragraph has been rendered */
  hasLead: boolean;
  /** Headings of the current table's columns */
  columns: string[];
  column: number;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  json: 'JSON',
  html: 'HTML',
  sql: 'SQL',
};

const escapeText = (text: string) => html`${text}`.text;

const anchorOf = (title: string) => slugOfName(title);

type Rule = (tokens: Token[], at: number, state: RenderState) => string;

const RULES: Readonly<Record<string, Rule>> = {
  heading_open: (tokens, at, state: RenderState) => {
    const title = plainText(tokens[at + 1]!);
    state.heading = title;
    const { tag } = tokens[at]!;
    if (tag === 'h1') return '<h1>';
    const anchor = anchorOf(title);
    return `<${tag} id="${anchor}"><a href="#${anchor}">`;
  },
  heading_close: (tokens, at) => {
    const { tag } = tokens[at]!;
    return tag === 'h1' ? '</h1>\n' : `</a></${tag}>\n`;
  },
  paragraph_open: (tokens, at, state: RenderState) => {
    if (tokens[at]!.hidden) return '';
    const isLead = !state.hasLead;
    state.hasLead = true;
    return isLead ? '<p class="lead">' : '<p>';
  },
  link_open: (tokens, at, { links }: RenderState) =>
    `<a href="${escapeText(hrefOf(String(tokens[at]!.attrGet('href')), links))}">`,
  image: (tokens, at, { links }: RenderState) => {
    const { width, height } = PICTURE_SIZE;
    const src = links.page(picturePath(String(tokens[at]!.attrGet('src'))));
    return html`<img
      src="${src}"
      alt="${tokens[at]!.content}"
      width="${width}"
      height="${height}"
      loading="lazy"
    />`.text;
  },
  table_open: (_tokens, _at, state: RenderState) => {
    state.columns = [];
    const label = escapeText(state.heading);
    return `<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="docs-table">`;
  },
  table_close: () => '</table></div>\n',
  tr_open: (_tokens, _at, state: RenderState) => {
    state.column = 0;
    return '<tr>';
  },
  th_open: (tokens, at, state: RenderState) => {
    state.columns.push(plainText(tokens[at + 1]!));
    return '<th scope="col">';
  },
  // The first cell of a row is its heading. On narrow screens, the other cells show the heading of their
  // column.
  td_open: (_tokens, _at, state: RenderState) => {
    const column = state.column++;
    if (column === 0) return '<th scope="row">';
    return `<td data-label="${escapeText(state.columns[column]!)}">`;
  },
  td_close: (_tokens, _at, { column }: RenderState) => (column === 1 ? '</th>' : '</td>'),
  fence: (tokens, at) => {
    const { info, content } = tokens[at]!;
    const code = preformatted(content.trimEnd());
    const { language, isOutput, attributes } = readFenceInfo(info);
    if (isOutput) {
      return html`<p class="example-head">${language === 'json' ? 'Response' : 'Output'}</p>
        <pre class="answer" tabindex="0"><code>${code}</code></pre>
        ${new Html('</div>')}`.text;
    }
    const id = attributes.get('id')?.[0];
    const next = tokens[at + 1];
    const hasOutput = next?.type === 'fence' && readFenceInfo(next.info).isOutput;
    return html`${new Html('<div class="example">')}
      <div class="example-head">
        <span>${attributes.get('file')?.[0] ?? LANGUAGES[language] ?? 'Text'}</span>
        <button type="button" class="copy" data-copy-from="${id}" hidden>Copy</button>
      </div>
      <pre id="${id}" tabindex="0"><code>${code}</code></pre>
      ${!hasOutput && new Html('</div>')}`.text;
  },
};

// Raw HTML is off, so text that looks like a tag is escaped.
const markdownIt = new MarkdownIt({ html: false });
for (const [name, rule] of Object.entries(RULES)) {
  markdownIt.renderer.rules[name] = (tokens, at, _options, state) =>
    rule(tokens, at, state as unknown as RenderState);
}

interface FenceInfo {
  language: string;
  /** Whether the block shows the output of the example above it */
  isOutput: boolean;
  /** `key=value` pairs; a key may occur more than once */
  attributes: ReadonlyMap<string, readonly string[]>;
}

/** Reads the words after a code fence, such as `sh id=cli-brands exit=8` or `json output varies=12`. */
export function readFenceInfo(info: string): FenceInfo {
  const [language = '', ...words] = info.trim().split(/\s+/);
  const attributes = new Map<string, string[]>();
  for (const word of words.filter((other) => other.includes('='))) {
    const key = word.slice(0, word.indexOf('='));
    attributes.set(key, [...(attributes.get(key) ?? []), word.slice(key.length + 1)]);
  }
  return { language, isOutput: words.includes('output'), attributes };
}

export function guideHtml(markdown: string, links: Links): Html {
  const state: RenderState = { links, heading: '', hasLead: false, columns: [], column: 0 };
  return new Html(markdownIt.render(withRoots(withoutComments(markdown), links), { ...state }));
}

/** Returns the guide as Markdown with absolute links, without comments and example attributes. */
export function guideMarkdown(markdown: string, links: Links): string {
  return withRoots(withoutComments(markdown), links)
    .replaceAll(/^(```\w+) .*$/gm, '$1')
    .replaceAll(
      /\]\(([\w-]+)\.md(#[\w-]+)?\)/g,
      (_, file: string, anchor = '') => `](${links.absolute(`${guidePath(file)}.md`)}${anchor})`,
    )
    .replaceAll(
      /\]\((pictures\/[\w.-]+)\)/g,
      (_, target: string) => `](${links.absolute(picturePath(target))})`,
    )
    .replaceAll(/\]\((\/[^)\s]*)\)/g, (_, path: string) => `](${links.absolute(path)})`);
}

/** @returns the title, the description, and the sections of a guide */
export function outlineOf(markdown: string): {
  title: string;
  description: string;
  sections: Section[];
} {
  const tokens = parseGuide(markdown);
  const sections: Section[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = plainText(tokens[at + 1]!);
      const level = Number(token.tag.slice(1));
      sections.push({ title, anchor: level === 1 ? '' : anchorOf(title), level, text: '' });
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      sections.at(-1)!.text += `${plainText(token)} `;
    } else if (token.type === 'fence') {
      sections.at(-1)!.text += `${token.content} `;
    }
  }
  const description = plainText(tokens.find((_, at) => tokens[at - 1]?.type === 'paragraph_open')!);
  return { title: sections[0]!.title, description, sections };
}

export const parseGuide = (markdown: string): Token[] =>
  markdownIt.parse(withoutComments(markdown), {});

const withoutComments = (markdown: string) => markdown.replaceAll(/^<!-- .* -->\n+/gm, '');

const plainText = ({ children }: Token): string =>
  (children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

/** Paths at the site's root. All other paths belong to the API, which may have a prefix. */
const SITE_PATH =
  /^\/(?:account|data-study|docs|llms|login|methodology|picture-builder|robots|s|signup|sitemap|\.well-known)(?=[/.?#-]|$)/;

/** Replaces the placeholder with the address of the service. */
export const withRoots = (text: string, links: Links) =>
  // The default of a command doesn't depend on the service.
  text.replaceAll(/(?<!default: )http:\/\/localhost:3000(\/[\w.{}-]*)?/g, (_, path = '') =>
    SITE_PATH.test(path) ? links.absolute(path) : links.absoluteApi(path),
  );

const guidePath = (file: string) => (file === 'index' ? '/docs' : `/docs/${file}`);

/** Returns links to the service without a host, so that pages work under any host name. */
function hrefOf(target: string, links: Links): string {
  const guide = /^([\w-]+)\.md(#.*)?$/.exec(target);
  if (guide) return links.page(guidePath(guide[1]!) + (guide[2] ?? ''));
  if (target.startsWith('/')) return links.page(target);
  const [api, site] = [links.absoluteApi('/'), links.absolute('/')];
  if (target.startsWith(api)) return links.api(target.slice(api.length - 1));
  return target.startsWith(site) ? links.page(target.slice(site.length - 1)) : target;
}
