/**
 * The table of ZIP codes next to the map. Both share the selection, and pointing at a row highlights the
 * ZIP code on the map. Only the rows in view are in the document.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { measuresIn } from '../config.ts';
import { formatCount } from '../counts.ts';
import { doAsked } from '../do-asked.ts';
import { openPlace } from '../load.ts';
import { territoriesByZip } from '../territories/draft.ts';
import { bboxOf, formatMeasureAt, isUnclear, type Bbox, type Market } from '../market.ts';
import { changedIn, dataSlugOf, formatMeasure, type Measure } from '../measures.ts';
import { shownDraft } from '../proposals/proposal.ts';
import { toggle } from '../selection/selection.ts';
import { union } from '../selection/sets.ts';
import { store } from '../state.ts';
import { rowsInView, sortedRows, wholeRowsInView, type Sorting } from './table-rows.ts';
import { useStore } from '../use-store.ts';
import { measuresOnMap } from '../white-space/white-space-of.ts';

/** In CSS pixels, as in the stylesheet */
const ROW_HEIGHT = 40;

/** Width of a column with figures, in CSS pixels, as in the stylesheet */
const COLUMN_WIDTH = 92;

type Scope = 'all' | 'selected' | 'free';

export function ZipTable({ fly }: { fly: (bbox: Bbox) => void }) {
  const market = useStore((state) => state.market);
  if (!market) return <TableProblem fly={fly} />;
  return <Grid market={market} fly={fly} />;
}

function TableProblem({ fly }: { fly: (bbox: Bbox) => void }) {
  const problem = useStore((state) => state.problem);
  const tryAgain = async () => {
    await openPlace(store.get().place);
    const bbox = doAsked();
    if (bbox) fly(bbox);
  };
  return (
    <div class="table-status">
      <p role="status">{problem ?? 'Loading ZIP codes …'}</p>
      {problem !== null && (
        <button class="quiet-button" onClick={() => void tryAgain()}>
          Try again
        </button>
      )}
    </div>
  );
}

function Grid({ market, fly }: { market: Market; fly: (bbox: Bbox) => void }) {
  const draft = useStore(shownDraft);
  const selection = useStore((state) => state.selection);
  const hovered = useStore((state) => state.hovered);
  const onMap = useStore((state) => measuresOnMap(state).join(' '));
  // One's own ZIP codes come first: those without a territory are last.
  const [sorting, setSorting] = useState<Sorting>({ by: 'territory', isDescending: false });
  const [scope, setScope] = useState<Scope>('all');
  const [active, setActive] = useState(0);
  const [view, setView] = useState({ scrollTop: 0, height: 600, hiddenPx: 0 });
  const scroller = useRef<HTMLDivElement>(null);
  const lastActive = useRef(0);

  const names = useMemo(
    () =>
      new Map(
        Array.from(territoriesByZip(draft), ([zip, territories]) => [
          zip,
          territories.map(({ name }) => name).join(', '),
        ]),
      ),
    [draft],
  );
  const rows = useMemo(() => {
    const all = market.zips.map((_, number) => number);
    const shown =
      scope === 'all'
        ? all
        : all.filter((zip) => (scope === 'selected' ? selection.has(zip) : !names.has(zip)));
    return sortedRows(market, shown, sorting, names);
  }, [market, scope, scope === 'selected' && selection, sorting, names]);
  const measures = useMemo(() => shownMeasures(market, onMap.split(' ')), [market, onMap]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let height = element.clientHeight;
    const observer = new ResizeObserver(() => {
      // A sheet that was closed couldn't scroll to what was selected meanwhile.
      if (height === 0) scrollIntoView(element, lastActive.current);
      height = element.clientHeight;
      setView(viewOf(element));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [measures.length]);

  // A selection made elsewhere, such as on the map, brings its first new row into view.
  const known = useRef(selection);
  useEffect(() => {
    const before = known.current;
    known.current = selection;
    const isNew = (zip: number) => selection.has(zip) && !before.has(zip);
    const chosen = rows.findIndex(isNew);
    const { from, to } = wholeRowsInView({ ...view, rowHeight: ROW_HEIGHT });
    if (chosen < 0 || rows.slice(from, to).some(isNew)) return;
    setActive(chosen);
    scrollIntoView(scroller.current, chosen);
  }, [selection]);
  const choose = (next: ReadonlySet<number>) => {
    known.current = next;
    store.update({ selection: next });
  };

  const activeRow = Math.min(active, rows.length - 1);
  lastActive.current = activeRow;
  const goTo = (row: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, row));
    setActive(next);
    store.update({ hovered: rows[next] ?? null });
    scrollIntoView(scroller.current, next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.height / ROW_HEIGHT) - 2);
    const steps: Record<string, number> = {
      ArrowDown: activeRow + 1,
      ArrowUp: activeRow - 1,
      PageDown: activeRow + page,
      PageUp: activeRow - page,
      Home: 0,
      End: rows.length - 1,
    };
    const zip = rows[activeRow];
    const step = steps[event.key];
    if (step !== undefined) goTo(step);
    else if (event.key === ' ' && zip !== undefined) choose(toggle(selection, zip));
    else if (event.key === 'Enter' && zip !== undefined) flyTo(market, zip, fly);
    else return;
    event.preventDefault();
  };

  const scopes: readonly { value: Scope; label: string; count: number }[] = [
    { value: 'all', label: 'All', count: market.zips.length },
    {
      value: 'selected',
      label: selection.size > 0 ? `Selected: ${formatCount(selection.size)}` : 'Selected',
      count: selection.size,
    },
    { value: 'free', label: 'Unassigned', count: market.zips.length - names.size },
  ];
  const { from, to } = rowsInView(rows.length, { ...view, rowHeight: ROW_HEIGHT });
  const activeZip = rows[activeRow];
  return (
    <>
      <div class="table-head">
        <h2 id="table-title">
          {rows.length.toLocaleString('en-US')} ZIP {rows.length === 1 ? 'code' : 'codes'}
        </h2>
        <div class="scopes" role="group" aria-label="Rows">
          {scopes.map(({ value, label, count }) => (
            <button
              key={value}
              type="button"
              aria-pressed={scope === value}
              disabled={count === 0 && scope !== value}
              onClick={() => {
                setScope(value);
                setActive(0);
              }}
            >
              {label}
            </button>
          ))}
        </div>
        <MoreColumns hiddenPx={view.hiddenPx} scroller={scroller} />
      </div>
      {market.withheld !== null && <p class="withheld">{market.withheld}</p>}
      <div
        class={view.hiddenPx > 0 ? 'grid has-more' : 'grid'}
        role="grid"
        tabIndex={0}
        aria-labelledby="table-title"
        aria-rowcount={rows.length + 1}
        aria-colcount={measures.length + 2}
        aria-multiselectable="true"
        aria-activedescendant={activeZip === undefined ? undefined : rowId(market, activeZip)}
        ref={scroller}
        onKeyDown={onKeyDown}
        onScroll={(event) => setView(viewOf(event.currentTarget))}
        onMouseLeave={() => store.update({ hovered: null })}
      >
        <div class="row head" role="row" aria-rowindex={1}>
          <HeadCell name="zip" label="ZIP code" sorting={sorting} sort={setSorting} />
          <HeadCell name="territory" label="Territory" sorting={sorting} sort={setSorting} />
          {measures.map(({ name, label, short = label }) => (
            <HeadCell
              key={name}
              name={name}
              label={short}
              fullName={label}
              sorting={sorting}
              sort={setSorting}
            />
          ))}
        </div>
        <div class="rows" role="rowgroup" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
          {rows.slice(from, to).map((zip, i) => (
            <div
              key={zip}
              id={rowId(market, zip)}
              class={rowClass(zip === activeZip, zip === hovered)}
              role="row"
              aria-rowindex={from + i + 2}
              aria-selected={selection.has(zip)}
              style={{ transform: `translateY(${(from + i) * ROW_HEIGHT}px)` }}
              onMouseEnter={() => store.update({ hovered: zip })}
              onClick={(event) => {
                setActive(from + i);
                choose(
                  event.shiftKey
                    ? union(selection, new Set(rangeOf(rows, activeRow, from + i)))
                    : toggle(selection, zip),
                );
              }}
              onDblClick={() => flyTo(market, zip, fly)}
            >
              <span role="rowheader" class="zip">
                <i class="check" aria-hidden="true" />
                <span class="zip-text">
                  <b>{market.zips[zip]}</b>
                  <span class="quiet" data-full={market.places[zip]}>
                    {market.places[zip]}
                  </span>
                </span>
              </span>
              <span role="gridcell" class="territory" data-full={names.get(zip)}>
                {names.get(zip) ?? '–'}
              </span>
              {measures.map((measure) => (
                <span
                  key={measure.name}
                  role="gridcell"
                  class={isUnclear(market, measure, zip) ? 'number quiet' : 'number'}
                  data-full={
                    changedIn(measure.name) === null
                      ? undefined
                      : formatMeasureAt(market, measure, zip)
                  }
                >
                  {formatMeasure(market.columns.get(measure.name)![zip]!, measure.unit)}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

interface HeadCellProps {
  name: string;
  label: string;
  /** If the label is a short one */
  fullName?: string;
  sorting: Sorting;
  sort: (sorting: Sorting) => void;
}

/** Figures are sorted from the highest at first, names from the first. */
function HeadCell({ name, label, fullName = label, sorting, sort }: HeadCellProps) {
  const isSorted = sorting.by === name;
  const isText = name === 'zip' || name === 'territory';
  const direction = sorting.isDescending ? 'descending' : 'ascending';
  return (
    <span
      role="columnheader"
      class={isText ? name : 'number'}
      aria-sort={isSorted ? direction : 'none'}
    >
      <button
        type="button"
        data-full={fullName}
        onClick={() => sort({ by: name, isDescending: isSorted ? !sorting.isDescending : !isText })}
      >
        {label}
      </button>
    </span>
  );
}

/** The measures on the map come first, then own data. */
function shownMeasures(market: Market, onMap: readonly string[]): Measure[] {
  const known = measuresIn(market).filter(({ name }) => market.columns.has(name));
  const rank = ({ name, unit }: Measure) => {
    const at = onMap.indexOf(name);
    if (at >= 0) return at - onMap.length;
    return dataSlugOf(name) !== null ? 0 : unit === 'score' ? 2 : 1;
  };
  return known.sort((a, b) => rank(a) - rank(b));
}

const rowId = ({ zips }: Market, zip: number) => `row-${zips[zip]}`;

const rowClass = (isActive: boolean, isHovered: boolean) =>
  ['row', isActive && 'active', isHovered && 'hovered'].filter(Boolean).join(' ');

const rangeOf = (rows: readonly number[], from: number, to: number) =>
  rows.slice(Math.min(from, to), Math.max(from, to) + 1);

/** The part of the table that is in view. `hiddenPx` is how much of it is to the right. */
const viewOf = ({
  scrollTop,
  scrollLeft,
  scrollWidth,
  clientWidth,
  clientHeight,
}: HTMLElement) => ({
  scrollTop,
  height: clientHeight,
  hiddenPx: Math.max(0, scrollWidth - scrollLeft - clientWidth - 1),
});

interface MoreColumnsProps {
  hiddenPx: number;
  scroller: { current: HTMLElement | null };
}

/** Says how many columns are to the right, and goes there; at the end, goes back. */
function MoreColumns({ hiddenPx, scroller }: MoreColumnsProps) {
  const count = Math.ceil(hiddenPx / COLUMN_WIDTH);
  const element = scroller.current;
  if (count === 0 && (element?.scrollLeft ?? 0) === 0) return null;
  const go = () =>
    element?.scrollTo({ left: count === 0 ? 0 : element.scrollLeft + element.clientWidth / 2 });
  return (
    <button type="button" class="link-button more-columns" onClick={go}>
      {count === 0 ? '← First columns' : `${count} more ${count === 1 ? 'column' : 'columns'} →`}
    </button>
  );
}

function flyTo(market: Market, zip: number, fly: (bbox: Bbox) => void): void {
  const bbox = bboxOf(market, [zip]);
  if (bbox) fly(bbox);
}

/** Scrolls a row into view, below the head, which covers the height of a row. */
function scrollIntoView(scroller: HTMLElement | null, row: number): void {
  if (!scroller) return;
  const [top, bottom] = [row * ROW_HEIGHT, (row + 2) * ROW_HEIGHT];
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + scroller.clientHeight) {
    scroller.scrollTop = bottom - scroller.clientHeight;
  }
}
