/**
 * Scores and rates of the market's ZIP codes as points. A lasso around points selects them on the map. The table has
 * the same ZIP codes.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { WHITE_SPACE_LABELS } from '../../../../../territories/own-data/white-space.ts';
import { pointTowards, type Direction } from '../../../browser/points.ts';
import type { Market } from '../market.ts';
import { formatMeasure, type Measure } from '../measures.ts';
import type { Point } from '../selection/distance.ts';
import { combine, isInRing, toggle } from '../selection/selection.ts';
import { store } from '../state.ts';
import { useDark } from '../map/swatch.tsx';
import { useStore } from '../use-store.ts';
import { drawScatter } from './draw-scatter.ts';
import { scatterScale, type ScatterFrame } from './scatter-scale.ts';
import type { WhiteSpace } from './white-space-of.ts';

const HEIGHT = 240;
/** Room for the labels of the axes */
const MARGIN = { left: 34, right: 10, top: 24, bottom: 34 };
/** Below the line of rate 0, points with this rate are spread, so that they don't hide each other. */
const ZEROS_PX = 16;
/** A shorter drag is a click. */
const CLICK_PX = 4;
/** Distance at which the pointer is on a point */
const HIT_PX = 10;

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

interface ScatterProps {
  market: Market;
  space: WhiteSpace;
  rate: Measure;
}

export function Scatter({ market, space, rate }: ScatterProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [lasso, setLasso] = useState<readonly Point[]>([]);
  const selection = useStore((state) => state.selection);
  const hovered = useStore((state) => state.hovered);
  const isDark = useDark();

  const frame: ScatterFrame = {
    left: MARGIN.left,
    right: Math.max(MARGIN.left + 1, width - MARGIN.right),
    top: MARGIN.top,
    bottom: HEIGHT - MARGIN.bottom - ZEROS_PX,
  };
  const known = space.rates.filter((one, zip) => !Number.isNaN(one + space.scores[zip]!));
  const highest = known.reduce((most, one) => Math.max(most, one), space.limits.servedFrom);
  const scale = scatterScale(frame, highest, space.median);
  const points = market.zips.map((zip, number): Point => {
    const [score, one] = [space.scores[number]!, space.rates[number]!];
    return [scale.x(score), one <= 0 ? frame.bottom + spread(zip) : scale.y(one)];
  });

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width));
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width === 0) return;
    const { classes, limits } = space;
    drawScatter(canvas.current!, {
      width,
      height: HEIGHT,
      frame,
      scale,
      points,
      classes,
      limits,
      lasso,
      selection,
      hovered,
      rateLabel: 'per 1,000 owner households',
    });
  }, [width, space, selection, hovered, lasso, isDark]);

  const at = (event: PointerEvent): Point => [event.offsetX, event.offsetY];
  const nearest = ([x, y]: Point): number | null => {
    let found: number | null = null;
    let least = HIT_PX;
    for (const [zip, [px, py]] of points.entries()) {
      const distance = Math.hypot(px - x, py - y);
      // ZIP codes without data have no distance.
      if (!(distance < least)) continue;
      least = distance;
      found = zip;
    }
    return found;
  };
  const finish = (event: PointerEvent) => {
    if (lasso.length === 0) return;
    const { selectionMode } = store.get();
    const mode = event.shiftKey ? 'add' : selectionMode;
    const [first] = lasso;
    const isClick = lasso.every(([x, y]) => Math.hypot(x - first![0], y - first![1]) < CLICK_PX);
    const hit = nearest(at(event));
    const chosen = isClick
      ? new Set(hit === null ? [] : [hit])
      : new Set([...points.keys()].filter((zip) => isInRing(...points[zip]!, lasso)));
    setLasso([]);
    const isMore = isClick && mode === 'add' && hit !== null;
    store.update({ selection: isMore ? toggle(selection, hit) : combine(selection, chosen, mode) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = ARROWS[event.key];
    if (event.key === 'Escape' && lasso.length > 0) setLasso([]);
    else if (event.key === ' ' && hovered !== null) {
      store.update({ selection: toggle(selection, hovered) });
    } else if (direction) {
      // Degrees small enough that the earth is flat
      const flat = { lon: points.map(([x]) => x / 1e4), lat: points.map(([, y]) => -y / 1e4) };
      const isShown = hovered !== null && space.classes[hovered] !== null;
      const next = isShown
        ? pointTowards(flat, hovered, direction)
        : space.classes.findIndex((name) => name !== null);
      if (next !== null && next >= 0) store.update({ hovered: next });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <figure class="scatter">
      <canvas
        ref={canvas}
        style={{ height: `${HEIGHT}px` }}
        tabIndex={0}
        role="application"
        aria-label={`Scatter plot of scores and ${rate.label}. Arrow keys move between ZIP codes, and the space bar selects one.`}
        aria-describedby="scatter-hovered"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setLasso([at(event)]);
        }}
        onPointerMove={(event) => {
          if (lasso.length > 0) setLasso([...lasso, at(event)]);
          else store.update({ hovered: nearest(at(event)) });
        }}
        onPointerUp={finish}
        onPointerCancel={() => setLasso([])}
        onPointerLeave={() => store.update({ hovered: null })}
        onKeyDown={onKeyDown}
      />
      <figcaption class="quiet small" id="scatter-hovered">
        {caption(market, space, rate, hovered)}
      </figcaption>
    </figure>
  );
}

/** A ZIP code keeps its place among those with rate 0. */
const spread = (zip: string): number => 3 + ((Number(zip) * 7) % (ZEROS_PX - 4));

function caption(market: Market, space: WhiteSpace, rate: Measure, zip: number | null): string {
  if (zip === null) return 'Drag around points to select ZIP codes. Shift adds.';
  const name = space.classes[zip];
  const title = `${market.zips[zip]} ${market.places[zip]}`;
  if (!name) return `${title}: not enough data`;
  const score = formatMeasure(space.scores[zip]!, 'score');
  const sold = formatMeasure(space.rates[zip]!, rate.unit);
  return `${title}: score ${score}, ${sold} per 1,000. ${WHITE_SPACE_LABELS[name]}.`;
}
