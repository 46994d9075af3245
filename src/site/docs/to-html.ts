/** The blocks of a page of the documentation as HTML. */
import { slugOfName } from '../../slug.ts';
import { html, preformatted, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { wideTable } from '../parts.ts';
import type { Block, Example, Language, Section } from './blocks.ts';
import { inlineHtml } from './inline.ts';

/** By which links lead to a section */
export const anchorOf = (title: string) => slugOfName(title);

export function sectionHtml({ title, blocks }: Section, links: Links): Html {
  const content = blocks.map((block) => blockHtml(block, links));
  if (title === undefined) return html`${content}`;
  const id = anchorOf(title);
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}"><a href="#${id}">${title}</a></h2>
    ${content}
  </section>`;
}

function blockHtml(block: Block, links: Links): Html {
  const inline = (markdown: string) => inlineHtml(markdown, links);
  switch (block.kind) {
    case 'text':
      return html`<p>${inline(block.text)}</p>`;
    case 'heading':
      return html`<h3>${block.text}</h3>`;
    case 'list': {
      const items = block.items.map((item) => html`<li>${inline(item)}</li>`);
      return block.ordered
        ? html`<ol>
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`;
    }
    case 'cards':
      return html`<ul class="cards">
        ${block.cards.map(
          ({ href, title, text }) =>
            html`<li>
              <h3><a href="${links.page(href)}">${title}</a></h3>
              <p>${inline(text)}</p>
            </li>`,
        )}
      </ul>`;
    case 'table':
      return wideTable(block.label, tableHtml(block, inline));
    case 'example':
      return exampleHtml(block);
  }
}

function tableHtml(
  { head, rows }: Extract<Block, { kind: 'table' }>,
  inline: (markdown: string) => Html,
): Html {
  return html`<table class="docs-table">
    <thead>
      <tr>
        ${head.map((cell) => html`<th scope="col">${cell}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([first, ...others]) =>
          html`<tr>
            <th scope="row">${inline(first!)}</th>
            ${others.map((cell, i) => html`<td data-label="${head[i + 1]}">${inlineLines(cell, inline)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A cell may have several lines. */
const inlineLines = (cell: string, inline: (markdown: string) => Html) =>
  cell.split('\n').map((line, i) => html`${i > 0 && html`<br />`}${inline(line)}`);

const LANGUAGES: Record<Language, string> = {
  sh: 'Shell',
  js: 'JavaScript',
  json: 'JSON',
  html: 'HTML',
};

function exampleHtml({ id, language, code, answer }: Example): Html {
  return html`<div class="example">
    <div class="example-head">
      <span>${LANGUAGES[language]}</span>
      <button type="button" class="copy" data-copy-from="${id}" hidden>Copy</button>
    </div>
    <pre id="${id}" tabindex="0"><code>${preformatted(code.trim())}</code></pre>
    ${
      answer &&
      html`<p class="example-head">Answer</p>
        <pre class="answer" tabindex="0"><code>${preformatted(answer.text.trim())}</code></pre>`
    }
  </div>`;
}
