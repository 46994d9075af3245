/**
 * The table of ZIP codes next to the map. Both share the selection, and pointing at a row highlights the
 * ZIP code on the map. Only the rows in view are in the document.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { measuresIn } from '../config.ts';
import { territoriesByZip } from '../territories/draft.ts';
import { bboxOf, type Bbox, type Market } from '../market.ts';
import { dataSlugOf, formatMeasure, type Measure } from '../measures.ts';
import { shownDraft } from '../proposals/proposal.ts';
import { store } from '../state.ts';
import { rowsInView, sortedRows, type Sorting } from './table-rows.ts';
import { useStore } from '../use-store.ts';
import { measuresOnMap } from '../white-space/white-space-of.ts';

/** In CSS pixels, as in the stylesheet */
const ROW_HEIGHT = 40;

const SCOPES = [
  { value: 'all', label: 'All' },
  { value: 'selected', label: 'Selected' },
  { value: 'free', label: 'Unassigned' },
] as const;
type Scope = (typeof SCOPES)[number]['value'];

export function ZipTable({ fly }: { fly: (bbox: Bbox) => void }) {
  const market = useStore((state) => state.market);
  if (!market) return <TableProblem />;
  return <Grid market={market} fly={fly} />;
}

function TableProblem() {
  const problem = useStore((state) => state.problem);
  return (
    <p class="table-status" role="status">
      {problem ?? 'Loading ZIP codes …'}
    </p>
  );
}

function Grid({ market, fly }: { market: Market; fly: (bbox: Bbox) => void }) {
  const draft = useStore(shownDraft);
  const selection = useStore((state) => state.selection);
  const hovered = useStore((state) => state.hovered);
  const onMap = useStore((state) => measuresOnMap(state).join(' '));
  const [sorting, setSorting] = useState<Sorting>({ by: 'zip', isDescending: false });
  const [scope, setScope] = useState<Scope>('all');
  const [active, setActive] = useState(0);
  const [view, setView] = useState({ scrollTop: 0, height: 600 });
  const scroller = useRef<HTMLDivElement>(null);

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
    const observer = new ResizeObserver(() =>
      setView({ scrollTop: element.scrollTop, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const activeRow = Math.min(active, rows.length - 1);
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
    else if (event.key === ' ' && zip !== undefined) toggle(zip);
    else if (event.key === 'Enter' && zip !== undefined) flyTo(market, zip, fly);
    else return;
    event.preventDefault();
  };

  const { from, to } = rowsInView(rows.length, { ...view, rowHeight: ROW_HEIGHT });
  const activeZip = rows[activeRow];
  return (
    <>
      <div class="table-head">
        <h2 id="table-title">
          {rows.length.toLocaleString('en-US')} ZIP {rows.length === 1 ? 'code' : 'codes'}
        </h2>
        <select
          aria-label="Rows"
          value={scope}
          onChange={(event) => {
            setScope(event.currentTarget.value as Scope);
            setActive(0);
          }}
        >
          {SCOPES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {market.withheld !== null && <p class="withheld">{market.withheld}</p>}
      <div
        class="grid"
        role="grid"
        tabIndex={0}
        aria-labelledby="table-title"
        aria-rowcount={rows.length + 1}
        aria-colcount={measures.length + 2}
        aria-multiselectable="true"
        aria-activedescendant={activeZip === undefined ? undefined : rowId(market, activeZip)}
        ref={scroller}
        onKeyDown={onKeyDown}
        onScroll={(event) => {
          const { scrollTop, clientHeight } = event.currentTarget;
          setView({ scrollTop, height: clientHeight });
        }}
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
              title={label}
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
                if (event.shiftKey) selectRange(rows, activeRow, from + i);
                else toggle(zip);
              }}
              onDblClick={() => flyTo(market, zip, fly)}
            >
              <span role="rowheader" class="zip">
                <i class="check" aria-hidden="true" />
                <span class="zip-text">
                  <b>{market.zips[zip]}</b>
                  <span class="quiet">{market.places[zip]}</span>
                </span>
              </span>
              <span role="gridcell" class="territory">
                {names.get(zip) ?? '–'}
              </span>
              {measures.map(({ name, unit }) => (
                <span key={name} role="gridcell" class="number">
                  {formatMeasure(market.columns.get(name)![zip]!, unit)}
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
  title?: string;
  sorting: Sorting;
  sort: (sorting: Sorting) => void;
}

/** Figures are sorted from the highest at first, names from the first. */
function HeadCell({ name, label, title, sorting, sort }: HeadCellProps) {
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
        title={title}
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

function toggle(zip: number): void {
  const selection = new Set(store.get().selection);
  if (!selection.delete(zip)) selection.add(zip);
  store.update({ selection });
}

function selectRange(rows: readonly number[], from: number, to: number): void {
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  store.update({ selection: new Set([...store.get().selection, ...range]) });
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
