/** The basemap styles shipped with the project. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { readFileSync } from 'node:fs';
import { projectFile } from '../paths.ts';

export const STYLE_NAMES = ['light', 'dark', 'muted'] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

const loaded = new Map<StyleName, StyleSpecification>();

/** A style document, read once. Callers share it: do not change it. */
export function loadStyle(name: StyleName): StyleSpecification {
  let style = loaded.get(name);
  if (style === undefined) {
    style = JSON.parse(
      readFileSync(projectFile(`styles/${name}.json`), 'utf8'),
    ) as StyleSpecification;
    loaded.set(name, style);
  }
  return style;
}
