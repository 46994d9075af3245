/** The state of the workspace, which all of its parts read and the map follows. */
import { EMPTY_DRAFT, type Draft } from './territories/draft.ts';
import type { Balance } from './territories/figures.ts';
import { NO_HISTORY, type History } from './territories/history.ts';
import type { ZipRefusals } from './territories/refusals.ts';
import type { Market } from './market.ts';
import type { MapPlace } from '../../../../maps/cartography/place-pins.ts';
import type { Past } from './over-time/past-days.ts';
import type { Proposal } from './proposals/proposal.ts';
import type { FirstSize } from './solver/first-territory.ts';
import type { SelectionMode } from './selection/selection.ts';
import type { WhiteSpaceView } from './map/view-address.ts';

export interface PlanSource {
  kind: 'plan';
  id: string;
  name: string;
  /** The version in `saved` */
  version: number;
  /** Measure that the plan's territories should share evenly */
  balance: Balance;
  /** Vertical of the plan's scores */
  vertical: string;
}

export type Source = { kind: 'live' } | PlanSource;

interface Notice {
  text: string;
  action?: { label: string; run: () => void };
}

export interface OutsideZip {
  zip: string;
  place: string;
  /** Class of its score, 0 to 4; null without a score, or if the map shows another measure */
  scoreClass: number | null;
}

export interface WorkspaceState {
  /** Place whose market is loaded: `metro=dallas-tx`, `state=TX`, or `plan=…` */
  place: string;
  /** Null until it is loaded */
  market: Market | null;
  /** Reason why the market can't be shown; null while it loads and once it's loaded */
  problem: string | null;
  /** `territory`, or the name of a measure (`browser/measures.ts`) */
  colorBy: string;
  /** If set, the map shows white space for the scores in `scoreColumn` instead of `colorBy`. */
  whiteSpace: WhiteSpaceView | null;
  source: Source;
  draft: Draft;
  /** The saved territories. `draft` differs from them by unsaved changes. */
  saved: Draft;
  /** The steps to `draft` since it was loaded or saved */
  history: History<Draft>;
  /** What rules of groups refuse to the brands */
  refusals: readonly ZipRefusals[];
  /** Numbers of ZIP codes */
  selection: ReadonlySet<number>;
  /** The effect of the next choice on the selection */
  selectionMode: SelectionMode;
  /** Number of the territory that should receive the selection; null if none is chosen */
  target: number | null;
  /** Measure that the territories should share evenly */
  balance: Balance;
  dialog: 'save' | 'conflict' | 'shortcuts' | null;
  /** The last action; null after it was dismissed */
  notice: Notice | null;
  /** Tool for clicks and drags on the map: `pointer`, or another tool's name */
  tool: string;
  /** ZIP code under the pointer or with keyboard focus */
  hovered: number | null;
  /** ZIP code outside the market under the pointer */
  outside: OutsideZip | null;
  /** Differences to show on the map and in the panel. Editing is off meanwhile. */
  proposal: Proposal | null;
  /** The earlier day that `proposal` shows; null for none */
  past: Past | null;
  /** The organization's places that the viewer sees; empty until they are loaded */
  places: readonly MapPlace[];
  /** Whether the map shows them */
  showsPlaces: boolean;
  /** The home and the size of a first territory to propose; null once it is closed, and for most organizations */
  first: { home: string; size: FirstSize } | null;
}

export const NO_ZIPS: ReadonlySet<number> = new Set();

export const store = createStore<WorkspaceState>({
  place: '',
  market: null,
  problem: null,
  colorBy: 'territory',
  whiteSpace: null,
  source: { kind: 'live' },
  draft: EMPTY_DRAFT,
  saved: EMPTY_DRAFT,
  history: NO_HISTORY,
  refusals: [],
  selection: NO_ZIPS,
  selectionMode: 'replace',
  target: null,
  balance: 'households',
  dialog: null,
  notice: null,
  tool: 'pointer',
  hovered: null,
  outside: null,
  proposal: null,
  past: null,
  places: [],
  showsPlaces: true,
  first: null,
});

/** A value that parts of the page share. Pure. */
interface Store<T extends object> {
  get(): T;
  /** Replaces some parts. If any part differs, subscribers run once, after the change. */
  update(change: Partial<T> | ((before: T) => Partial<T>)): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: (now: T, before: T) => void): () => void;
}

function createStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<(now: T, before: T) => void>();
  return {
    get: () => value,
    update(change) {
      const parts = typeof change === 'function' ? change(value) : change;
      const keys = Object.keys(parts) as (keyof T)[];
      if (keys.every((key) => Object.is(parts[key], value[key]))) return;
      const before = value;
      value = { ...value, ...parts };
      const now = value;
      for (const listener of Array.from(listeners)) listener(now, before);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
