/** Full-text search of guides, operations, and tools, with prefixes and small typing errors. */
import MiniSearch from 'minisearch';
import type { Tool } from '../../tools/tool.ts';
import type { Operation } from '../../../base/contract/operation.ts';
import { letOthersRun } from '../../../base/workers/let-others-run.ts';
import { GUIDES, REFERENCE, type Guide } from './guides.ts';

interface Entry {
  id: number;
  title: string;
  /** Name of the guide that contains the entry, or of the reference */
  page: string;
  /** From the site's root, with the anchor */
  path: string;
  text: string;
}

export interface Hit extends Pick<Entry, 'title' | 'page' | 'path'> {
  /** Text around the first matching word */
  excerpt: string;
  /** The matching words of the entry */
  words: readonly string[];
}

const MAX_HITS = 20;
const EXCERPT = { before: 60, length: 180 };

type DocsSearch = (query: string) => Promise<Hit[]>;

interface Index {
  entries: readonly Entry[];
  words: MiniSearch<Entry>;
}

/**
 * The first search indexes the texts, which takes a tenth of the CPU of a start.
 * @returns a function that finds entries, best first
 */
export function docsSearch(operations: readonly Operation[], tools: readonly Tool[]): DocsSearch {
  let index: Promise<Index> | undefined;
  return async (query) => {
    index ??= indexTexts(operations, tools).catch((error: unknown) => {
      index = undefined;
      throw error;
    });
    const { entries, words } = await index;
    const withAll = words.search(query, { combineWith: 'AND' });
    const found = withAll.length > 0 ? withAll : words.search(query);
    return found.slice(0, MAX_HITS).map(({ id, terms }) => {
      const { title, page, path, text } = entries[id as number]!;
      return { title, page, path, excerpt: excerptOf(text, terms), words: terms };
    });
  };
}

async function indexTexts(
  operations: readonly Operation[],
  tools: readonly Tool[],
): Promise<Index> {
  const texts = [];
  for (const guide of GUIDES) {
    texts.push(...guideEntries(guide));
    await letOthersRun();
  }
  texts.push(...toolEntries(tools), ...operationEntries(operations));
  const entries = texts.map((entry, id): Entry => ({ id, ...entry }));
  const words = new MiniSearch<Entry>({
    fields: ['title', 'page', 'text'],
    // Index `brand_out_of_scope` as a whole and by its parts.
    tokenize: (text) => wordsOf(text).flatMap((word) => [word, ...partsOf(word)]),
    searchOptions: {
      tokenize: wordsOf,
      boost: { title: 6, page: 3 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.6, fuzzy: 0.2 },
    },
  });
  // In slices, between which other requests are answered
  await words.addAllAsync(entries);
  return { entries, words };
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}_]+/u).filter(Boolean);

const partsOf = (word: string) => (word.includes('_') ? word.split('_').filter(Boolean) : []);

const guideEntries = ({ name, path, sections }: Guide) =>
  sections.map(({ title, anchor, text }) => ({
    title,
    text: oneLine(text),
    page: name,
    path: anchor === '' ? path : `${path}#${anchor}`,
  }));

const toolEntries = (tools: readonly Tool[]) =>
  tools.map(({ name, title, summary, description }) => ({
    title: name,
    page: 'MCP tools',
    path: '/docs/mcp#tools',
    text: oneLine(`${title}. ${summary}. ${description}`),
  }));

const operationEntries = (operations: readonly Operation[]) =>
  operations.map(({ method, path, tag, id, summary, description }) => ({
    title: `${method.toUpperCase()} ${path}`,
    page: REFERENCE.name,
    path: `${REFERENCE.path}#/${encodeURIComponent(tag)}/${id}`,
    text: oneLine(`${summary}. ${description}`),
  }));

/** Removes the marks of code, which only Markdown needs */
const oneLine = (text: string) => text.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim();

/** Returns a pattern that matches any of the words at the beginning of a word. */
export function beginningWith(words: readonly string[]): RegExp {
  const escaped = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(${escaped.join('|')})`, 'iu');
}

/** Returns the words around the first match, or the beginning of a text without a match. */
function excerptOf(text: string, words: readonly string[]): string {
  const wanted = text.search(beginningWith(words)) - EXCERPT.before;
  const start = wanted <= 0 ? 0 : text.indexOf(' ', wanted) + 1;
  const cut = text.slice(start, start + EXCERPT.length);
  const isRest = start + EXCERPT.length >= text.length;
  return `${start > 0 ? '… ' : ''}${isRest ? cut : `${cut.replace(/\s\S*$/, '')} …`}`;
}
