/** The state of the workspace, which all of its parts read and the map follows. */
import { EMPTY_DRAFT, type Draft } from './draft.ts';
import type { Balance } from './figures.ts';
import { NO_HISTORY, type History } from './history.ts';
import type { Market } from './market.ts';
import type { Proposal } from './proposal.ts';
import type { SelectionMode } from './selection.ts';
import { createStore } from './store.ts';

export interface PlanSource {
  kind: 'plan';
  id: string;
  name: string;
  /** The one that `saved` has */
  version: number;
  /** Measure that the plan's territories should share evenly */
  balance: Balance;
  /** Vertical of the plan's scores */
  vertical: string;
}

export type Source = { kind: 'live' } | PlanSource;

export interface Notice {
  text: string;
  action?: { label: string; run: () => void };
}

export interface OutsideZip {
  zip: string;
  place: string;
  /** Class of its score, 0 to 4; null without a score or if the map shows another measure */
  scoreClass: number | null;
}

export interface WorkspaceState {
  /** Place whose market is loaded: `metro=dallas-tx`, `state=TX`, or `plan=…` */
  place: string;
  /** Null until it is loaded */
  market: Market | null;
  /** Reason why the market can't be shown; null while it loads, and if it was loaded */
  problem: string | null;
  /** `territory`, or the name of a measure (`browser/measures.ts`) */
  colorBy: string;
  source: Source;
  draft: Draft;
  /** The saved state. `draft` differs from it by unsaved changes. */
  saved: Draft;
  /** How `draft` came about since it was loaded or saved */
  history: History<Draft>;
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
  /** ZIP code under the pointer or with the focus */
  hovered: number | null;
  /** ZIP code outside the market under the pointer */
  outside: OutsideZip | null;
  /** Shown as a difference, on the map and in the panel. Nothing is edited meanwhile. */
  proposal: Proposal | null;
}

export const NO_ZIPS: ReadonlySet<number> = new Set();

export const store = createStore<WorkspaceState>({
  place: '',
  market: null,
  problem: null,
  colorBy: 'territory',
  source: { kind: 'live' },
  draft: EMPTY_DRAFT,
  saved: EMPTY_DRAFT,
  history: NO_HISTORY,
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
});
