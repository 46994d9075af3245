/** A box in the color and the pattern of a territory, as on the map. */
import { useDark } from './use-dark.ts';
import { PATTERN_PATHS, PATTERN_WIDTHS, REMOVED_PATH, REMOVED_WIDTH } from './map-style.ts';
import { territoryColor, territoryPattern } from './territory-colors.ts';

export function TerritorySwatch({ number }: { number: number }) {
  const isDark = useDark();
  const pattern = territoryPattern(number);
  const color = territoryColor(number, isDark);
  return (
    <svg class="territory-swatch" width="24" height="18" viewBox="0 0 24 18" aria-hidden="true">
      <rect
        x="1"
        y="1"
        width="22"
        height="16"
        rx="3"
        fill={color}
        fill-opacity="0.55"
        stroke={color}
        stroke-width="2"
      />
      {pattern !== 'plain' &&
        [0, 12].flatMap((x) =>
          [0, 12].map((y) => (
            <path
              key={`${x} ${y}`}
              class="pattern"
              d={PATTERN_PATHS[pattern]}
              transform={`translate(${x} ${y})`}
              stroke-width={PATTERN_WIDTHS[pattern]}
              stroke-linecap="round"
              fill="none"
            />
          )),
        )}
    </svg>
  );
}

/** A mark as on the map: a dashed outline, crosses, or a ring */
export function MarkSwatch({ kind }: { kind: 'added' | 'removed' | 'shared' }) {
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
