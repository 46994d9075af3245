/** Opens plans in the workspace, and saves drafts as new ones. */
import { planEditOf } from './changes.ts';
import { config } from './config.ts';
import { EMPTY_DRAFT, type Draft } from './draft.ts';
import { mayLeave } from './editing.ts';
import { loadDraft, loadLive, openPlace } from './load.ts';
import { createPlan, editNewPlan, type Beginning } from './plan-requests.ts';
import { matchedTo, type Proposal } from './proposal.ts';
import { verticalOf } from './measures.ts';
import { store } from './state.ts';

/** What was open before a plan: the market whose live territories are shown again. */
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

/** What a new plan of the market that is shown begins with */
export function beginningHere(start: 'live' | 'empty'): Beginning {
  const { place, source } = store.get();
  if (source.kind === 'plan') return { copyOf: source.id };
  const [kind, value = ''] = place.split('=');
  const name = decodeURIComponent(value);
  return kind === 'state' ? { state: name, start } : { metro: name, start };
}

/** Saves a draft of the market that is shown as a new plan, and opens it. @throws Refusal */
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
  await openPlace(`plan=${created.id}`);
}

/**
 * Shows how the draft differs from the live territories, or from another plan.
 * @param other id of the plan; null: live
 */
export async function compareWith(other: { id: string; name: string } | null): Promise<void> {
  const { market, place, draft, source, colorBy } = store.get();
  if (!market) return;
  const compared = other
    ? (await loadDraft(`plan=${other.id}`, market)).draft
    : await loadLive(place, market);
  const now = store.get();
  if (now.market !== market || now.draft !== draft) return;
  const name = source.kind === 'plan' ? source.name : 'Live';
  store.update({
    proposal: {
      kind: 'comparison',
      title: `${name} compared with ${other ? other.name : 'live'}`,
      notes: [],
      base: matchedTo(draft, compared),
      draft,
      declined: new Set(),
      balance: 'households',
      vertical: verticalOf(colorBy) ?? config().verticals[0]!.slug,
    },
  });
}
