/** Reorders text with right-to-left scripts for display (Unicode Bidirectional Algorithm, UAX 9). Pure. */
import bidiFactory, { type Bidi } from 'bidi-js';
import type { Section, SectionedLine } from './label.ts';

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Scripts with joined letters, which can't be spaced */
const CURSIVE =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Phags_Pa}]/u;

/** Characters that control the algorithm and have no glyph */
const CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Types of characters that take the direction of the text at the end of a line (rule L1) */
const NEUTRAL_AT_END = new Set(['WS', 'FSI', 'LRI', 'RLI', 'PDI']);
const SEPARATORS = new Set(['S', 'B']);

export const allowsLetterSpacing = (text: string) => !CURSIVE.test(text);

let bidi: Bidi | null = null;
let segmenter: Intl.Segmenter | null = null;

/** Returns a function that reorders a line that starts at an index of the text. */
export function lineOrderer(text: string): (line: SectionedLine, start: number) => SectionedLine {
  if (!RIGHT_TO_LEFT.test(text)) return (line) => line;
  bidi ??= bidiFactory();
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  return (line, start) => {
    const paragraph = paragraphs.find((each) => start >= each.start && start <= each.end);
    const base = paragraph?.level ?? 0;
    const clusters = clustersOf(line, levels, start);
    resetNeutrals(clusters, base);
    return mergeClusters(inVisualOrder(clusters, base).filter(({ text }) => !CONTROL.test(text)));
  };
}

/** A letter with its marks, which move together */
interface Cluster {
  text: string;
  section: Section;
  /** Depth of embedding; odd for right-to-left text */
  level: number;
}

function clustersOf(line: SectionedLine, levels: Uint8Array, start: number): Cluster[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const clusters: Cluster[] = [];
  let index = start;
  for (const section of line) {
    for (const { segment } of segmenter.segment(section.text)) {
      clusters.push({ text: segment, section, level: levels[index]! });
      index += segment.length;
    }
  }
  return clusters;
}

function resetNeutrals(clusters: readonly Cluster[], base: number): void {
  let isTrailing = true;
  for (const cluster of clusters.toReversed()) {
    const type = bidi!.getBidiCharTypeName(cluster.text[0]!);
    if (SEPARATORS.has(type)) isTrailing = true;
    else if (!NEUTRAL_AT_END.has(type)) isTrailing = false;
    if (isTrailing) cluster.level = base;
  }
}

/** Reverses each run at or above a level, from the highest level to the lowest odd one (rule L2). */
function inVisualOrder(clusters: readonly Cluster[], base: number): Cluster[] {
  const levels = clusters.map(({ level }) => level);
  const highest = Math.max(base, ...levels);
  const lowest = Math.min(...levels.map((level) => level | 1));
  let ordered = [...clusters];
  for (let level = highest; level >= lowest; level--) {
    const next: Cluster[] = [];
    for (let i = 0; i < ordered.length;) {
      let end = i;
      while (end < ordered.length && ordered[end]!.level >= level) end++;
      if (end === i) next.push(ordered[i++]!);
      else {
        next.push(...ordered.slice(i, end).toReversed());
        i = end;
      }
    }
    ordered = next;
  }
  return ordered;
}

/** Joins clusters of the same section, and mirrors brackets in right-to-left text. */
function mergeClusters(clusters: readonly Cluster[]): SectionedLine {
  const line: { section: Section; text: string }[] = [];
  for (const { text, section, level } of clusters) {
    const drawn = level % 2 === 0 ? text : (bidi!.getMirroredCharacter(text) ?? text);
    const last = line.at(-1);
    if (last?.section === section) last.text += drawn;
    else line.push({ section, text: drawn });
  }
  return line.map(({ section, text }) => ({ ...section, text }));
}
