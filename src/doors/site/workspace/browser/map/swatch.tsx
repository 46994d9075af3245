/** Colors and patterns of territories, and boxes that show them as on the map. */
import {
  patternLines,
  lookColor,
  territoryLook,
  type Pattern,
} from '../../../../../maps/cartography/territory-look.ts';
import {
  PLANNED_PATH,
  PLANNED_WIDTH,
  REFUSED_PATH,
  REFUSED_WIDTH,
  REMOVED_PATH,
  REMOVED_WIDTH,
} from './map-style.ts';
import { useEffect, useState } from 'preact/hooks';
import { DARK } from '../../../browser/map-view.ts';
import { config } from '../config.ts';

export function TerritorySwatch({ number }: { number: number }) {
  const isDark = useDark();
  const pattern = territoryPattern(number);
  return (
    <svg class="territory-swatch" width="24" height="18" viewBox="0 0 24 18" aria-hidden="true">
      <rect x={0.5} y={0.5} width={23} height={17} rx={3} fill={swatchColor(number, isDark)} />
      {pattern !== null &&
        [0, 16].map((x) => (
          <path
            key={x}
            class="territory-pattern"
            d={patternLines(pattern)}
            transform={`translate(${x} 1)`}
          />
        ))}
    </svg>
  );
}

/** A mark as on the map: a dashed outline, crosses, a ring, or hatching */
export function MarkSwatch({
  kind,
}: {
  kind: 'added' | 'removed' | 'shared' | 'refused' | 'planned';
}) {
  const box = { x: 1, y: 1, width: 22, height: 16, rx: 3 };
  return (
    <svg
      class={`mark-swatch ${kind}`}
      width="24"
      height="18"
      viewBox="0 0 24 18"
      aria-hidden="true"
    >
      <rect {...box} fill="none" />
      {kind === 'planned' && (
        <svg x="2" y="2" width="20" height="14" viewBox="0 0 20 14">
          {[0, 10].flatMap((x) =>
            [-3, 7].map((y) => (
              <path
                key={`${x} ${y}`}
                d={PLANNED_PATH}
                transform={`translate(${x} ${y})`}
                stroke-width={PLANNED_WIDTH}
              />
            )),
          )}
        </svg>
      )}
      {kind === 'refused' && (
        <svg x="2" y="2" width="20" height="14" viewBox="0 0 20 14">
          {[0, 8, 16].flatMap((x) =>
            [0, 8].map((y) => (
              <path
                key={`${x} ${y}`}
                d={REFUSED_PATH}
                transform={`translate(${x} ${y})`}
                stroke-width={REFUSED_WIDTH}
              />
            )),
          )}
        </svg>
      )}
      {kind === 'removed' &&
        [0, 12].map((x) => (
          <path
            key={x}
            d={REMOVED_PATH}
            transform={`translate(${x} 3)`}
            stroke-width={REMOVED_WIDTH}
            stroke-linecap="round"
          />
        ))}
    </svg>
  );
}

/** Whether the reader's color scheme is dark, for components with colors of the map. */
export function useDark(): boolean {
  const [isDark, setDark] = useState(DARK.matches);
  useEffect(() => {
    const update = () => setDark(DARK.matches);
    DARK.addEventListener('change', update);
    return () => DARK.removeEventListener('change', update);
  }, []);
  return isDark;
}

/**
 * Colors and patterns of territories, as in pictures. A territory keeps both while it is edited, because they
 * depend only on its number.
 */
export const territoryColor = (number: number, isDark: boolean): string =>
  colorIn(config().territoryColors, number, isDark);

/** The color over land, for elements next to the map */
const swatchColor = (number: number, isDark: boolean): string =>
  colorIn(config().swatchColors, number, isDark);

function colorIn(
  colors: Record<'light' | 'dark', readonly string[]>,
  number: number,
  isDark: boolean,
): string {
  return lookColor(colors[isDark ? 'dark' : 'light'], territoryLook(number).color);
}

export const territoryPattern = (number: number): Pattern | null => territoryLook(number).pattern;
