/**
 * Arranges the furniture of a map. Each piece has several forms, the roomiest first; small pictures get
 * smaller forms. The sources are placed first, because a map without them may not be published, then title,
 * legend, scale bar, key, and locator. The legend takes the corner where it hides the least of the
 * territory.
 */
import { growRect, type RectPx } from '../../base/spatial/flat.ts';
import type { MeasureEm } from '../canvas/text/measure.ts';
import { CardLayout, type Candidate, type Card } from './card-layout.ts';
import type { MapFurniture } from './furniture.ts';
import { keyBlock, keyBlocks, keyCounter } from './key-block.ts';
import { coveredPx } from './territory-boxes.ts';

export interface Arrangement {
  cards: Card[];
  /** Areas that the labels of the map must avoid */
  boxes: RectPx[];
  /** Frames of the maps in a picture with panels or insets; each gets a hairline */
  frames?: readonly RectPx[];
  /** Parts of the map that insets show enlarged; each gets an outline */
  enlarged?: readonly RectPx[];
}

/** Maximum share of the picture that a key may cover, which hides no territory */
const MAX_KEY_SHARE = 0.3;
/** Cards for the entries of a key that have no room in one place. More cards would scatter over the picture. */
const MAX_KEY_CARDS = 2;
/** Space that labels leave on both sides of an outline, CSS pixels */
const OUTLINE_GAP_PX = 2;

/** Arranges furniture around boxes of a territory, which the legend should avoid. */
export type ArrangeAround = (territory?: readonly RectPx[]) => Arrangement;

export function arrangeFurniture(
  furniture: MapFurniture,
  widthPx: number,
  heightPx: number,
  measure: MeasureEm,
  territory?: readonly RectPx[],
): Arrangement {
  return furnitureArranger(furniture, widthPx, heightPx, measure)(territory);
}

/** Lays out the texts once for all territories. */
export function furnitureArranger(
  furniture: MapFurniture,
  widthPx: number,
  heightPx: number,
  measure: MeasureEm,
): ArrangeAround {
  const { title, subtitle, caption, legend, scaleBar, key, locator } = furniture;
  const { insets = [], enlarged = [] } = furniture;
  const layout = new CardLayout(widthPx, heightPx, measure, furniture.textScale);
  const source = layout.source(sourceTexts(furniture));
  const insetCards = insets.map((box): Card => ({ box, flush: true, texts: [], swatches: [] }));
  const fixed = source === null ? insetCards : [...insetCards, source];
  if (caption !== undefined) layout.addFirstFitting(fixed, [layout.compactHeading(caption)]);
  if (title !== undefined) {
    layout.addFirstFitting(fixed, [
      layout.heading(title, subtitle, furniture),
      layout.heading(title, subtitle),
      layout.heading(title, undefined),
      layout.compactHeading(title),
    ]);
  }
  const legends = legend === undefined ? [] : layout.legends(legend, source);
  const scaleBars = scaleBar === undefined ? [] : layout.scaleBars(scaleBar, source);
  const locators = locator === undefined ? [] : layout.locators(locator, source);
  const keyForms = key && replayable(keyBlocks(layout.type, key));
  return (territory = []) => {
    const cards = [...fixed];
    // Sorting is stable: corners that hide equally much keep their order of preference.
    const leastHiding = (corners: readonly Candidate[]) =>
      corners
        .map((card) => ({ card, hidden: coveredPx(card.box, territory) }))
        .sort((a, b) => a.hidden - b.hidden)
        .map(({ card }) => card);
    layout.addFirstFitting(cards, legends.flatMap(leastHiding));
    // A card over the edge of an outline would hide where the outline ends.
    const keptFree = [...territory, ...enlarged];
    const isFree = ({ box }: Candidate) => coveredPx(box, keptFree) === 0;
    const freeBeside = layout.freeRects(keptFree);
    /** Lists the entries on several cards if they all have room. */
    const addKeyInParts = (to: Card[]) => {
      if (key === undefined) return false;
      const withKey = [...to];
      let { entries } = key;
      for (let part = 0; part < MAX_KEY_CARDS && entries.length > 0; part++) {
        const countIn = keyCounter(layout.type, { ...key, entries });
        const [largest] = freeBeside(withKey)
          .map((rect) => ({ rect, ...countIn(layout.roomIn(rect)) }))
          .toSorted((one, other) => other.count - one.count);
        if (largest === undefined || largest.count === 0) return false;
        const { rect, count, rows } = largest;
        const listed = { ...key, entries: entries.slice(0, count) };
        const block = keyBlock(layout.type, listed, Math.ceil(count / rows));
        const places = layout.within([rect], block);
        if (!layout.addFirstFitting(withKey, places, MAX_KEY_SHARE)) return false;
        entries = entries.slice(count);
      }
      if (entries.length > 0) return false;
      to.push(...withKey.slice(to.length));
      return true;
    };
    const addWholeKey = (to: Card[]) => {
      if (keyForms === undefined) return false;
      const anywhere = freeBeside(to);
      for (const block of keyForms()) {
        const corners = layout.corners(block, source, { prefersRight: true }).filter(isFree);
        const places = [...corners, ...layout.within(anywhere, block)];
        if (layout.addFirstFitting(to, places, MAX_KEY_SHARE)) return true;
      }
      return false;
    };
    const addScaleBarAndKey = () => {
      const bars = leastHiding(scaleBars);
      // The scale bar makes way for the key, which needs more room.
      for (const addKey of [addWholeKey, addKeyInParts]) {
        for (const bar of key === undefined ? [] : bars) {
          const both = [...cards];
          if (!layout.addFirstFitting(both, [bar]) || !addKey(both)) continue;
          cards.push(...both.slice(cards.length));
          return;
        }
      }
      layout.addFirstFitting(cards, bars);
      if (!addWholeKey(cards)) addKeyInParts(cards);
    };
    addScaleBarAndKey();
    layout.addFirstFitting(cards, locators.filter(isFree));
    return {
      cards,
      boxes: [...cards.map(({ box }) => box), ...enlarged.flatMap(edgesOf)],
      ...(insets.length > 0 && { frames: insets }),
      ...(enlarged.length > 0 && { enlarged }),
    };
  };
}

/** Returns a function that yields the same values each time, but computes each only once, when it is needed. */
function replayable<T>(values: Iterator<T>): () => Generator<T> {
  const known: T[] = [];
  return function* () {
    for (let i = 0; ; i++) {
      if (i === known.length) {
        const next = values.next();
        if (next.done) return;
        known.push(next.value);
      }
      yield known[i]!;
    }
  };
}

/** The areas around the four edges of a box. */
function edgesOf({ minX, minY, maxX, maxY }: RectPx): RectPx[] {
  const [left, right, top, bottom] = [
    { minX, minY, maxX: minX, maxY },
    { minX: maxX, minY, maxX, maxY },
    { minX, minY, maxX, maxY: minY },
    { minX, minY: maxY, maxX, maxY },
  ];
  return [left, right, top, bottom].map((edge) => growRect(edge, OUTLINE_GAP_PX));
}

/** Returns the texts that name the sources, the most detailed first. */
export function sourceTexts(furniture: MapFurniture): string[] {
  const { vintage, attribution, shortAttribution } = furniture;
  const [publishers, ...shorter] = shortAttribution ?? [];
  const join = (...texts: (string | undefined)[]) => texts.filter(Boolean).join('  ·  ');
  const full = join(vintage, attribution);
  const short = join(vintage, publishers);
  const forms = [full, short, publishers, ...shorter];
  return forms.filter((text) => text !== undefined && text !== '') as string[];
}
