/**
 * What a page of the documentation is made of. Texts are Markdown of three kinds only, `code`,
 * **strong** and [links](/methodology), so that each page can be read as HTML and as Markdown.
 */
import type { AssetName } from '../assets.ts';

export interface DocPage {
  /** From the site's root: `/docs/rest` */
  path: string;
  /** In the navigation */
  name: string;
  title: string;
  /** One or two sentences: beneath the title, in search results and in lists of pages */
  description: string;
  sections: readonly Section[];
  /** Style sheets and scripts beside those of all pages */
  assets?: readonly AssetName[];
}

export interface Section {
  /** Left out: it goes on beneath the page's title */
  title?: string;
  blocks: readonly Block[];
}

export type Block =
  | { kind: 'text'; text: string }
  /** Of a part of a section; plain */
  | { kind: 'heading'; text: string }
  | { kind: 'list'; items: readonly string[]; ordered: boolean }
  /** Cells may have several lines. */
  | { kind: 'table'; label: string; head: readonly string[]; rows: readonly (readonly string[])[] }
  | { kind: 'cards'; cards: readonly Card[] }
  | Example;

/** A way in: where it leads, and how it begins. */
export interface Card {
  href: string;
  title: string;
  text: string;
}

/**
 * What a reader copies and what comes of it. A test runs every example of every page as it is shown,
 * but for the placeholders, and compares what comes with what is shown.
 */
export interface Example {
  kind: 'example';
  /** Unique among all pages */
  id: string;
  language: Language;
  code: string;
  answer?: ExampleAnswer;
  /** With which a command ends; left out: 0 */
  exitCode?: number;
}

export type Language = 'sh' | 'js' | 'json' | 'html';

export interface ExampleAnswer {
  language: 'json' | 'text';
  /** As it comes; `…` stands for what is left out: members, elements, lines, or the rest of a line */
  text: string;
  /** Texts and numbers in it that are others each time */
  varies?: readonly string[];
}

export const text = (markdown: string): Block => ({ kind: 'text', text: markdown });

export const heading = (plain: string): Block => ({ kind: 'heading', text: plain });

export const list = (...items: string[]): Block => ({ kind: 'list', items, ordered: false });

export const steps = (...items: string[]): Block => ({ kind: 'list', items, ordered: true });

export const table = (
  label: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Block => ({ kind: 'table', label, head, rows });

export const cards = (...all: Card[]): Block => ({ kind: 'cards', cards: all });

export const example = (about: Omit<Example, 'kind'>): Example => ({ kind: 'example', ...about });

/** The most usual one: a shell's command that succeeds. */
export const shell = (id: string, code: string, answer?: ExampleAnswer): Example =>
  example({ id, language: 'sh', code, ...(answer && { answer }) });

export const json = (text: string, ...varies: string[]): ExampleAnswer => ({
  language: 'json',
  text,
  varies,
});

export const output = (text: string, ...varies: string[]): ExampleAnswer => ({
  language: 'text',
  text,
  varies,
});
