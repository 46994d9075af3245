/** Opens plans in the workspace, and saves drafts as new ones. */
import { planEditOf } from '../saving/changes.ts';
import { config } from '../config.ts';
import { EMPTY_DRAFT, type Draft } from '../territories/draft.ts';
import { isEdited } from '../territories/editing.ts';
import { openPlace } from '../load.ts';
import { createPlan, editNewPlan, type Beginning } from './plan-requests.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { store } from '../state.ts';

/** The market that was open before a plan, for returning to it. */
let livePlace: string | null = null;

export async function openPlan(id: string): Promise<void> {
  const { place } = store.get();
  if (!mayLeave()) return;
  if (!place.startsWith('plan=')) livePlace = place;
  await openPlace(`plan=${encodeURIComponent(id)}`);
}

export async function openLive(): Promise<void> {
  if (!mayLeave()) return;
  const first = config().place;
  const fallback = first.startsWith('plan=') ? `metro=${config().metros[0]!.slug}` : first;
  await openPlace(livePlace ?? fallback);
}

/** Returns the initial state of a new plan of the current market. */
export function beginningHere(start: 'live' | 'empty'): Beginning {
  const { place, source } = store.get();
  if (source.kind === 'plan') return { copyOf: source.id };
  const [kind, value = ''] = place.split('=');
  const name = decodeURIComponent(value);
  return kind === 'state' ? { state: name, start } : { metro: name, start };
}

/**
 * Saves a draft of the current market as a new plan, and opens it in the colors that its territories had as a
 * proposal.
 * @throws Refusal
 */
export async function openAsPlan(
  name: string,
  draft: Draft,
  { balance, vertical }: Pick<Proposal, 'balance' | 'vertical'>,
): Promise<void> {
  const { market, source, saved } = store.get();
  if (!market) return;
  const created = await createPlan({ name, balance, vertical, ...beginningHere('empty') });
  const before = source.kind === 'plan' ? saved : EMPTY_DRAFT;
  await editNewPlan(created, planEditOf(market, before, draft));
  const { place } = store.get();
  if (!place.startsWith('plan=')) livePlace = place;
  store.update({ colorBy: 'territory', whiteSpace: null });
  await openPlace(`plan=${created.id}`);
}

/** Whether there are no unsaved changes, or the person agrees to lose them. */
export const mayLeave = (): boolean =>
  !isEdited(store.get()) || confirm('Changes that aren’t saved will be lost. Leave anyway?');
