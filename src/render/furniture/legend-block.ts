/** The forms of a legend: a column, a row, and a strip that takes the least room. */
import {
  EMPTY_BLOCK,
  mergePieces,
  placeBlock,
  stackBlocks,
  type Block,
  type Swatch,
} from './block.ts';
import type { HistogramBar, Legend, LegendClass } from './furniture.ts';
import type { FurnitureText, FurnitureTypography, TextRole } from './typography.ts';

/** Digits and capitals are 0.71 em tall, so half of that below the middle centers them. */
const HALF_CAPITAL_EM = 0.357;

/**
 * Classes form one stepped bar with the highest at the top; "no data" and "outside" are separate. The
 * histogram is above them, unless it's omitted.
 */
export function legendColumn(
  type: FurnitureTypography,
  legend: Legend,
  { histogram = true } = {},
): Block {
  const { scale } = type;
  const rowPx = Math.round(17 * scale);
  const rows = (classes: readonly LegendClass[]) =>
    stackBlocks(
      classes.map((each) =>
        entry(type, each, Math.round(22 * scale), rowPx, Math.round(9 * scale)),
      ),
      classes.map(() => 0),
    );
  const classes = rows(legend.isList ? legend.classes : legend.classes.toReversed());
  const others = rows(extrasOf(legend));
  const heading = headingOf(type, legend);
  const widthPx = Math.max(Math.round(104 * scale), heading.width, classes.width, others.width);
  const bars = histogram
    ? histogramBlock(type, legend, widthPx, Math.round(26 * scale))
    : EMPTY_BLOCK;
  const gap = Math.round(7 * scale);
  const parts = [
    { block: heading, gap: 0 },
    { block: bars, gap },
    { block: classes, gap },
    { block: others, gap: Math.round(6 * scale) },
  ].filter(({ block }) => block.height > 0);
  return stackBlocks(
    parts.map(({ block }) => block),
    parts.slice(1).map((part) => part.gap),
  );
}

/**
 * A title above rows of classes, lowest first, with the histogram on the left if it fits.
 *
 * @param maxPx width of the widest row
 */
export function legendRow(type: FurnitureTypography, legend: Legend, maxPx = Infinity): Block {
  const { scale } = type;
  const rowPx = Math.round(13 * scale);
  const between = Math.round(11 * scale);
  const lines: Block[][] = [];
  for (const each of [...legend.classes, ...extrasOf(legend)]) {
    const block = entry(type, each, Math.round(18 * scale), rowPx, Math.round(5 * scale));
    const line = lines.at(-1);
    if (line !== undefined && lineUp([...line, block], between).width <= maxPx) line.push(block);
    else lines.push([block]);
  }
  const rows = lines.map((line) => lineUp(line, between));
  const { title, method } = legend;
  const heading = textBlock(type, 'legend-title', title);
  const note = method === undefined ? EMPTY_BLOCK : textBlock(type, 'legend-label', method);
  const gap = Math.round(4 * scale);
  const key = stackBlocks(
    [lineUp([heading, note], Math.round(7 * scale)), ...rows],
    rows.map(() => gap),
  );
  const bars = histogramBlock(type, legend, Math.round(76 * scale), key.height, false);
  const withBars = lineUp([bars, key], Math.round(14 * scale));
  return withBars.width <= maxPx ? withBars : key;
}

/** Classes without gaps, between the labels of the lowest and the highest class. */
export function legendStrip(type: FurnitureTypography, legend: Legend): Block {
  const { scale } = type;
  const heightPx = Math.round(11 * scale);
  const widthPx = Math.round(15 * scale);
  if (legend.range === undefined) {
    // Statuses have no order, so each needs its name.
    const entries = legend.classes.map((each) =>
      entry(type, each, widthPx, heightPx, Math.round(4 * scale)),
    );
    return lineUp(entries, Math.round(9 * scale));
  }
  const swatches = legend.classes.map(({ color, mark }, i): Swatch => {
    const minX = i * widthPx;
    return { color, mark, box: { minX, minY: 0, maxX: minX + widthPx, maxY: heightPx } };
  });
  const steps = { width: widthPx * swatches.length, height: heightPx, texts: [], swatches };
  const [lowest, highest] = legend.range;
  const label = (text: string) =>
    centerCapitals(type, textBlock(type, 'legend-label', text), heightPx);
  return lineUp(
    [label(`${legend.title}  ${lowest}`), steps, label(`${highest}`)],
    Math.round(5 * scale),
  );
}

const extrasOf = ({ noData, outside }: Legend) =>
  [noData, outside].filter((each) => each !== undefined);

function headingOf(type: FurnitureTypography, { title, method }: Legend): Block {
  const heading = textBlock(type, 'legend-title', title);
  if (method === undefined) return heading;
  return stackBlocks([heading, textBlock(type, 'legend-label', method)], [0]);
}

function textBlock(type: FurnitureTypography, role: TextRole, text: string): Block {
  const texts = type.placeLines(role, [text], 0, 0);
  return { ...type.extent(role, [text]), texts, swatches: [] };
}

/** Centers the capitals of a line of text in a height. */
function centerCapitals(type: FurnitureTypography, block: Block, heightPx: number): Block {
  const y = heightPx / 2 + HALF_CAPITAL_EM * type.sizePx('legend-label');
  return { ...block, height: heightPx, texts: block.texts.map((text) => ({ ...text, y })) };
}

function entry(
  type: FurnitureTypography,
  { color, mark, label }: LegendClass,
  widthPx: number,
  heightPx: number,
  toLabelPx: number,
): Block {
  const swatch: Swatch = { color, mark, box: { minX: 0, minY: 0, maxX: widthPx, maxY: heightPx } };
  const text: FurnitureText = {
    role: 'legend-label',
    text: label,
    sizePx: type.sizePx('legend-label'),
    x: widthPx + toLabelPx,
    y: heightPx / 2 + HALF_CAPITAL_EM * type.sizePx('legend-label'),
  };
  const width = text.x + type.widthOf('legend-label')(label);
  return { width, height: heightPx, texts: [text], swatches: [swatch] };
}

/** Bars in the colors of the classes, above the ends of the range unless these are omitted. */
function histogramBlock(
  type: FurnitureTypography,
  { histogram: bars, range }: Legend,
  widthPx: number,
  heightPx: number,
  hasEnds = true,
): Block {
  if (bars === undefined || range === undefined) return EMPTY_BLOCK;
  const [lowest, highest] = range;
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const edge = (i: number) => Math.round((i * widthPx) / bars.length);
  const gap = widthPx / bars.length > 6 ? 1 : 0;
  const swatches = bars.flatMap(({ color, count }: HistogramBar, i): Swatch[] => {
    // Keeps a single ZIP code visible.
    const minY = heightPx - Math.max(1, Math.round((count / most) * heightPx));
    const box = { minX: edge(i), minY, maxX: edge(i + 1) - gap, maxY: heightPx };
    return count === 0 ? [] : [{ color, box, isBar: true }];
  });
  const chart: Block = { width: widthPx, height: heightPx, texts: [], swatches };
  if (!hasEnds) return chart;
  const high = `${highest}`;
  const y = heightPx + type.sizePx('source');
  const [low, end] = [
    { ...textBlock(type, 'source', `${lowest}`).texts[0]!, x: 0, y },
    { ...textBlock(type, 'source', high).texts[0]!, x: widthPx - type.widthOf('source')(high), y },
  ];
  const height = heightPx + type.lineHeightPx('source');
  return { width: widthPx, height, texts: [low, end], swatches };
}

/** Places blocks side by side, with the same bottom edge. */
function lineUp(blocks: readonly Block[], gapPx: number): Block {
  const shown = blocks.filter(({ width }) => width > 0);
  const height = Math.max(0, ...shown.map((block) => block.height));
  let width = 0;
  const pieces = shown.map((block) => {
    const placed = placeBlock(block, width, height - block.height);
    width = Math.round(width + block.width) + gapPx;
    return placed;
  });
  return { width: Math.max(0, width - gapPx), height, ...mergePieces(pieces) };
}
