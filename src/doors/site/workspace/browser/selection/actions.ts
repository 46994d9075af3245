/** Edits of the selection. Each can be undone, and its label describes it. */
import { config } from '../config.ts';
import { countZips } from '../counts.ts';
import { addZips, moveZips, removeZips, territoryOf, type Zips } from '../territories/edits.ts';
import { editDraft } from '../territories/editing.ts';
import type { Draft } from '../territories/draft.ts';
import { figuresIn, type Figures } from '../territories/figures.ts';
import type { Market } from '../market.ts';
import { refusedTo, type Refused } from '../territories/refusals.ts';
import { difference } from './sets.ts';
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

/** The name of the territory that should receive the selection; null if none is chosen */
export const targetName = ({ draft, target }: WorkspaceState): string | null =>
  target === null ? null : (territoryOf(draft, target)?.name ?? null);

const nameOf = (number: number) => territoryOf(store.get().draft, number)?.name ?? '';

/** Which of some ZIP codes a territory can get, and why not the others */
interface Allowed {
  zips: Zips;
  refused: Refused;
}

/** @param after the draft with all of them in the territory */
function allowedIn(
  { refusals, draft }: Pick<WorkspaceState, 'refusals' | 'draft'>,
  zips: Zips,
  to: number,
  after: Draft,
): Allowed {
  const territory = territoryOf(draft, to);
  const all = refusedTo(refusals, after, territory?.brand ?? null);
  const refused = new Map([...all].filter(([zip]) => zips.has(zip) && !territory?.zips.has(zip)));
  return { zips: difference(zips, new Set(refused.keys())), refused };
}

export const allowedMoves = (
  state: Pick<WorkspaceState, 'refusals' | 'draft'>,
  zips: Zips,
  to: number,
): Allowed => allowedIn(state, zips, to, moveZips(state.draft, zips, to));

/** As `allowedMoves`, while other brands keep the ZIP codes */
export const allowedAdditions = (
  state: Pick<WorkspaceState, 'refusals' | 'draft'>,
  zips: Zips,
  to: number,
): Allowed => allowedIn(state, zips, to, addZips(state.draft, zips, to));

/** Edits with what is allowed, or says why nothing is. */
function editAllowed(
  { zips, refused }: Allowed,
  change: (draft: Draft, zips: Zips) => Draft,
  label: (count: string) => string,
): void {
  const [reason] = refused.values();
  if (zips.size === 0 && reason !== undefined) {
    store.update({ notice: { text: `Nothing was moved: ${reason}.` } });
    return;
  }
  edit((draft) => change(draft, zips), label(countZips(zips.size)));
}

/** Moves ZIP codes to a territory, from all others, except for those that rules refuse. */
export const moveTo = (zips: Zips, to: number): void =>
  editAllowed(
    allowedMoves(store.get(), zips, to),
    (draft, allowed) => moveZips(draft, allowed, to),
    (count) => `Move ${count} to ${nameOf(to)}`,
  );

/** Adds ZIP codes to a live territory, except for those that rules refuse. Other brands keep them. */
export const addTo = (zips: Zips, to: number): void =>
  editAllowed(
    allowedAdditions(store.get(), zips, to),
    (draft, allowed) => addZips(draft, allowed, to),
    (count) => `Add ${count} to ${nameOf(to)}`,
  );

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
