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
  /** What the plan's territories should share evenly */
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
  /** What the market is loaded from: `metro=dallas-tx`, `state=TX`, or `plan=…` */
  place: string;
  /** Null until it is loaded */
  market: Market | null;
  /** Why the market can't be shown; null while it loads and after */
  problem: string | null;
  /** `territory`, or the name of a measure (`browser/measures.ts`) */
  colorBy: string;
  source: Source;
  draft: Draft;
  /** As the server has it: `draft` differs by what isn't saved */
  saved: Draft;
  /** How `draft` came about since it was loaded or saved */
  history: History<Draft>;
  /** Numbers of ZIP codes */
  selection: ReadonlySet<number>;
  /** What the next choice does with the selection */
  selectionMode: SelectionMode;
  /** Number of the territory that is to receive the selection; null: none chosen */
  target: number | null;
  /** What the territories should share evenly */
  balance: Balance;
  dialog: 'save' | 'conflict' | 'shortcuts' | null;
  /** What was just done; null when it is dismissed */
  notice: Notice | null;
  /** What a click or drag on the map does: `pointer`, or another tool's name */
  tool: string;
  /** ZIP code that is pointed at or focused */
  hovered: number | null;
  /** ZIP code outside the market that is pointed at */
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
