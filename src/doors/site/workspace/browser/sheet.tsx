/** The panel and the table on narrow screens: a sheet over the map, which can be pulled up. */
import { useEffect, useState } from 'preact/hooks';
import { isFirstRun } from './solver/first-proposal.tsx';
import { useStore } from './use-store.ts';

const SIZES = ['low', 'half', 'full'] as const;
type Size = (typeof SIZES)[number];

const TABS = [
  { id: 'panel', label: 'Map' },
  { id: 'table', label: 'ZIP codes' },
] as const;
type Tab = (typeof TABS)[number]['id'];

/** Pixels that the handle must move to change the size */
const DRAG_PX = 40;

export function SheetBar({ sheet }: { sheet: HTMLElement }) {
  const [size, setSize] = useState<Size>(isFirstRun ? 'half' : 'low');
  const [tab, setTab] = useState<Tab>('panel');
  const [startY, setStartY] = useState<number | null>(null);
  useEffect(() => {
    sheet.dataset.size = size;
    sheet.dataset.tab = tab;
  }, [sheet, size, tab]);
  const hasProposal = useStore((state) => state.proposal !== null);
  // Decisions on a proposal are made in the panel.
  useEffect(() => {
    if (!hasProposal) return;
    setTab('panel');
    setSize((before) => (before === 'low' ? 'half' : before));
  }, [hasProposal]);
  const step = (by: 1 | -1) =>
    setSize((before) => SIZES[Math.max(0, Math.min(2, SIZES.indexOf(before) + by))]!);
  const endDrag = (y: number) => {
    if (startY === null) return;
    setStartY(null);
    if (Math.abs(y - startY) < DRAG_PX) setSize(size === 'low' ? 'half' : 'low');
    else step(y < startY ? 1 : -1);
  };
  return (
    <>
      <button
        type="button"
        class="handle"
        aria-expanded={size !== 'low'}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setStartY(event.clientY);
        }}
        onPointerUp={(event) => endDrag(event.clientY)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowUp') step(1);
          else if (event.key === 'ArrowDown') step(-1);
          else if (event.key === 'Enter' || event.key === ' ') {
            setSize(size === 'low' ? 'half' : 'low');
          } else return;
          event.preventDefault();
        }}
      >
        <span class="visually-hidden">{size === 'low' ? 'Open' : 'Close'} the panel</span>
      </button>
      <div class="tabs">
        {TABS.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            aria-pressed={tab === id}
            onClick={() => {
              setTab(id);
              if (size === 'low') setSize('half');
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  );
}
