/** The tools over the map. They determine how a click or drag affects the selection. */
import type { ComponentChildren } from 'preact';
import type { SelectionMode } from '../selection/selection.ts';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';

interface Tool {
  name: string;
  label: string;
  /** Letter that chooses it */
  key: string;
  /** Instruction for the map */
  hint: string;
  icon: ComponentChildren;
}

export const TOOLS: readonly Tool[] = [
  {
    name: 'pointer',
    label: 'Pointer',
    key: 'V',
    hint: 'Click a ZIP code. Shift-click for several.',
    icon: <path d="M5 3.5 15.5 10l-4.75 1.25L8.5 16Z" />,
  },
  {
    name: 'box',
    label: 'Box',
    key: 'B',
    hint: 'Drag from corner to corner.',
    icon: <rect x="3.5" y="4.5" width="13" height="11" stroke-dasharray="3 2" />,
  },
  {
    name: 'lasso',
    label: 'Lasso',
    key: 'L',
    hint: 'Drag around ZIP codes.',
    icon: (
      <path d="M7 13.5C4.5 13 3 11.3 3 9.3 3 6.4 6.1 4 10 4s7 2.4 7 5.3-3.1 5.2-7 5.2a9 9 0 0 1-3-.5c-1.5 0-2 1-1.5 2" />
    ),
  },
  {
    name: 'polygon',
    label: 'Polygon',
    key: 'P',
    hint: 'Click corners. Click the first one again to close the shape.',
    icon: <path d="m10 3.5 6.5 4.800-2.5 7.700H6L3.5 8.300Z" />,
  },
  {
    name: 'circle',
    label: 'Radius',
    key: 'R',
    hint: 'Drag from the center.',
    icon: (
      <>
        <circle cx="10" cy="10" r="6.5" />
        <path d="M10 10h6" />
      </>
    ),
  },
];

const MODES: readonly { mode: SelectionMode; label: string; more: string; tip: string }[] = [
  { mode: 'replace', label: 'New', more: ' selection', tip: 'Start a new selection' },
  { mode: 'add', label: 'Add', more: ' to the selection', tip: 'Add to the selection' },
  {
    mode: 'subtract',
    label: 'Subtract',
    more: ' from the selection',
    tip: 'Remove from the selection',
  },
];

export function MapTools() {
  const tool = useStore((state) => state.tool);
  const mode = useStore((state) => state.selectionMode);
  const hasMarket = useStore((state) => state.market !== null);
  const hasPlaces = useStore((state) => state.places.length > 0);
  const showsPlaces = useStore((state) => state.showsPlaces);
  // The map's camera always leaves space for the tools.
  const availability = hasMarket ? '' : 'unavailable';
  const chosen = TOOLS.find(({ name }) => name === tool);
  return (
    <>
      <div class={`tool-bar ${availability}`} role="group" aria-label="Selection tools">
        {TOOLS.map(({ name, label, key, icon }) => (
          <button
            key={name}
            type="button"
            aria-pressed={tool === name}
            data-tip={`${label} (${key})`}
            onClick={() => store.update({ tool: name })}
          >
            <svg
              viewBox="0 0 20 20"
              width="20"
              height="20"
              aria-hidden="true"
              fill="none"
              stroke="currentColor"
              stroke-width="1.6"
              stroke-linejoin="round"
            >
              {icon}
            </svg>
            <span class="visually-hidden">{label}</span>
          </button>
        ))}
      </div>
      <div
        class={`tool-bar modes ${availability}`}
        role="group"
        aria-label="Effect on the selection"
      >
        {MODES.map((one) => (
          <button
            key={one.mode}
            type="button"
            aria-pressed={mode === one.mode}
            data-tip={one.tip}
            onClick={() => store.update({ selectionMode: one.mode })}
          >
            {one.label}
            <span class="visually-hidden">{one.more}</span>
          </button>
        ))}
      </div>
      {hasPlaces && (
        <div class="tool-bar modes">
          <button
            type="button"
            aria-pressed={showsPlaces}
            data-tip={showsPlaces ? 'Hide your places' : 'Show your places'}
            onClick={() => store.update({ showsPlaces: !showsPlaces })}
          >
            Places
          </button>
        </div>
      )}
      {hasMarket && chosen && tool !== 'pointer' && <p class="tool-hint">{chosen.hint}</p>}
    </>
  );
}
