/**
 * The frame and the legend of a map of demand scores on public pages. The script `browser/score-map.ts`
 * draws the map. Until then, and without scripts, the page shows a picture.
 */
import { classLabels, NATIONAL_CLASSES } from '../../maps/cartography/classes.ts';
import { SCORE_CLASSES } from '../../maps/cartography/tiles/score-tiles.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { html, type Html } from './html.ts';
import type { Links } from './links.ts';
import { maplibrePath } from './maplibre.ts';

interface ScoreMapFrame {
  /** Slug of the vertical whose scores color the ZIP codes */
  verticalSlug: string;
  /** The initial extent */
  bbox: Bbox;
  /** The ZIP code of the page, if it is about one. It is outlined */
  zip?: string;
}

/** Attributes of the frame, for `openScoreMap` */
export const scoreMapAttributes = (
  { verticalSlug, bbox, zip }: ScoreMapFrame,
  links: Links,
): Html =>
  html`data-maplibre="${links.page(maplibrePath('maplibre-gl.mjs'))}" data-api="${links.api('')}"
  data-site="${links.page('')}" data-vertical="${verticalSlug}" data-bbox="${bboxText(bbox)}"
  ${zip !== undefined && html`data-zip="${zip}"`}`;

/** A bbox for a script, precise to 100 meters, which is enough to move a map there */
export const bboxText = (bbox: Bbox) => bbox.map((degrees) => degrees.toFixed(3)).join(' ');

interface LiveMap extends ScoreMapFrame {
  /** Name of the vertical, for the legend */
  verticalLabel: string;
  /** Shown until the map is drawn, and without scripts. It determines the size of the map. */
  picture: Html;
  caption: Html;
}

/** A figure with a picture that a map replaces once the page has loaded. */
export const liveMap = (
  { verticalLabel, picture, caption, ...frame }: LiveMap,
  links: Links,
): Html =>
  html`<figure class="live-map">
    <div class="map-frame score-map" ${scoreMapAttributes(frame, links)}>
      <div class="map"></div>
      ${picture} ${scoreLegend(verticalLabel)}
    </div>
    <figcaption>${caption}</figcaption>
  </figure>`;

export const scoreLegend = (verticalLabel: string): Html =>
  html`<div class="score-legend">
    <p id="legend-title">${verticalLabel} score</p>
    ${scoreClassKeys()}
  </div>`;

/** The classes of scores, lowest first, each with its lower bound for the script. */
function scoreClassKeys(): Html {
  const keys = classLabels(NATIONAL_CLASSES).map(
    (label, i) =>
      html`<li class="key" data-class="${SCORE_CLASSES[i]}"><i class="fill-${i}"></i>${label}</li>`,
  );
  return html`<ul class="score-classes">
    ${keys}
    <li class="key"><i class="fill-none"></i>No score</li>
  </ul>`;
}
