/** Finds sections of the documentation that have all words of a query. */
import type { Block, DocPage } from './blocks.ts';
import { plainText } from './inline.ts';

export interface Hit {
  page: DocPage;
  /** Title of the section; left out where it has none */
  section?: string;
  /** From its text, around the first of the words */
  excerpt: string;
}

const MOST_HITS = 20;
/** Longer queries are cut. */
const MOST_WORDS = 8;
const EXCERPT = { before: 60, length: 180 };

/** Of a query, in small letters and each once */
export const wordsOf = (query: string): string[] =>
  [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MOST_WORDS);

/** Where one of the words begins a word */
export function beginningWith(words: readonly string[], flags = ''): RegExp {
  const escaped = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(${escaped.join('|')})`, `iu${flags}`);
}

/** The best first: words in a section's title tell most, those in its page's title much. */
export function search(pages: readonly DocPage[], query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const begins = words.map((word) => beginningWith([word]));
  const found = pages.flatMap((page) =>
    page.sections.flatMap(({ title = '', blocks }) => {
      const body = blocks.map(blockText).join(' ').replaceAll(/\s+/g, ' ');
      const [inTitle, inPage, inBody] = [title, `${page.title} ${page.description}`, body].map(
        (text) => begins.filter((word) => word.test(text)),
      ) as [RegExp[], RegExp[], RegExp[]];
      const all = new Set([...inTitle, ...inPage, ...inBody]);
      if (all.size < words.length) return [];
      const score = 8 * inTitle.length + 4 * inPage.length + inBody.length;
      const hit: Hit = { page, ...(title && { section: title }), excerpt: excerptOf(body, words) };
      return [{ score, hit }];
    }),
  );
  return found
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_HITS)
    .map(({ hit }) => hit);
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'text':
      return plainText(block.text);
    case 'list':
      return block.items.map(plainText).join(' ');
    case 'table':
      return block.rows.flat().map(plainText).join(' ');
    case 'cards':
      return block.cards.map(({ title, text }) => `${title} ${plainText(text)}`).join(' ');
    case 'example':
      return `${block.code} ${block.answer?.text ?? ''}`;
  }
}

/** Whole words around the first place where one of the words is; else the beginning. */
function excerptOf(body: string, words: readonly string[]): string {
  const place = body.search(beginningWith(words));
  const wanted = place - EXCERPT.before;
  const start = wanted <= 0 ? 0 : body.indexOf(' ', wanted) + 1;
  const cut = body.slice(start, start + EXCERPT.length);
  const isRest = start + EXCERPT.length >= body.length;
  return `${start > 0 ? '… ' : ''}${isRest ? cut : `${cut.replace(/\s\S*$/, '')} …`}`;
}
