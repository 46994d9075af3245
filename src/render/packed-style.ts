/**
 * Styles as texts: the service uses the same few over and over, and a worker that knows a text needs neither
 * to read nor to compile it again.
 */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { LRUCache } from 'lru-cache';

/** Bounded by the number of letters, because styles may contain data. */
const MAX_LETTERS = 8 << 20;

const texts = new WeakMap<StyleSpecification, string>();
const styles = new LRUCache<string, StyleSpecification>({
  maxSize: MAX_LETTERS,
  sizeCalculation: (_style, { length }) => length,
});

export function packStyle(style: StyleSpecification): string {
  let text = texts.get(style);
  if (text === undefined) {
    text = JSON.stringify(style);
    texts.set(style, text);
  }
  return text;
}

export function unpackStyle(text: string): StyleSpecification {
  let style = styles.get(text);
  if (style === undefined) {
    style = JSON.parse(text) as StyleSpecification;
    styles.set(text, style);
  }
  return style;
}
