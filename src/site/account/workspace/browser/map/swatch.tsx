/** A box in the color and the pattern of a territory, as on the map. */
import { useDark } from './use-dark.ts';
import { patternLines } from '../../../../../cartography/territory-look.ts';
import { REMOVED_PATH, REMOVED_WIDTH } from './map-style.ts';
import { swatchColor, territoryPattern } from './territory-colors.ts';

export function TerritorySwatch({ number }: { number: number }) {
  const isDark = useDark();
  const pattern = territoryPattern(number);
  return (
    <svg class="territory-swatch" width="24" height="18" viewBox="0 0 24 18" aria-hidden="true">
      <rect
        {...{ x: 0.5, y: 0.5, width: 23, height: 17, rx: 3 }}
        fill={swatchColor(number, isDark)}
      />
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
