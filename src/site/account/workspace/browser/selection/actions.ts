/** Edits of the selection. Each can be undone, and its label describes it. */
import { config } from '../config.ts';
import { countZips } from '../counts.ts';
import { addZips, moveZips, removeZips, territoryOf, type Zips } from '../territories/edits.ts';
import { editDraft } from '../territories/editing.ts';
import type { Draft } from '../territories/draft.ts';
import { figuresIn, type Figures } from '../territories/figures.ts';
import type { Market } from '../market.ts';
import { isScore, scoreOf } from '../measures.ts';
import { store, type WorkspaceState } from '../state.ts';

/** Returns the reason why editing isn't possible; null if it is. */
export function editRefusal({ market, source, proposal }: WorkspaceState): string | null {
  const { refusal, planRefusal } = config();
  if (!market) return 'The ZIP codes aren’t loaded yet.';
  if (refusal !== null) return refusal;
  if (source.kind === 'plan' && planRefusal !== null) return planRefusal;
  return proposal === null ? null : 'Accept or close the proposal first.';
}

/** Edits the draft if the viewer may do so. */
function edit(change: (draft: Draft) => Draft, label: string): void {
  const state = store.get();
  if (editRefusal(state) === null) editDraft(change(state.draft), label);
}

const nameOf = (number: number) => territoryOf(store.get().draft, number)?.name ?? '';

/** Moves ZIP codes to a territory, from all others. */
export const moveTo = (zips: Zips, to: number): void =>
  edit((draft) => moveZips(draft, zips, to), `Move ${countZips(zips.size)} to ${nameOf(to)}`);

/** Adds ZIP codes to a live territory. Other brands keep them. */
export const addTo = (zips: Zips, to: number): void =>
  edit((draft) => addZips(draft, zips, to), `Add ${countZips(zips.size)} to ${nameOf(to)}`);

export const removeFrom = (zips: Zips, from: number): void =>
  edit(
    (draft) => removeZips(draft, zips, from),
    `Remove ${countZips(zips.size)} from ${nameOf(from)}`,
  );

export const removeFromAll = (zips: Zips): void =>
  edit((draft) => moveZips(draft, zips, null), `Remove ${countZips(zips.size)}`);

/** The column with the scores that figures use: those on the map, otherwise the first vertical's */
export const scoreColumn = ({ colorBy }: Pick<WorkspaceState, 'colorBy'>): string =>
  isScore(colorBy) ? colorBy : scoreOf(config().verticals[0]?.slug ?? '');

let measured: { market: Market; scores: string; figures: (zips: Zips) => Figures } | undefined;

/** Returns a function that measures sets of ZIP codes and caches the results. */
export function measuring(market: Market, scores: string): (zips: Zips) => Figures {
  if (measured?.market !== market || measured.scores !== scores) {
    measured = { market, scores, figures: figuresIn(market, scores) };
  }
  return measured.figures;
}
