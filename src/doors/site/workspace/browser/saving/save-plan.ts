/**
 * Saves a plan. If someone else has saved it in the meantime, nothing is lost: a dialog offers ways to
 * continue.
 */
import { planEditOf } from './changes.ts';
import type { Draft } from '../territories/draft.ts';
import { historySince, NO_HISTORY } from '../territories/history.ts';
import { followSource, openPlace, planDraft } from '../load.ts';
import { mergeDrafts, type Merged } from './merge.ts';
import { createPlan, editNewPlan, editPlan, readPlan } from '../plans/plan-requests.ts';
import { Refusal } from '../requests.ts';
import { store, type PlanSource } from '../state.ts';

/** Only one save runs at a time, because a second one would state an old version. */
let isSaving = false;

export async function savePlan(): Promise<void> {
  const { market, source, saved, draft, place } = store.get();
  if (!market || source.kind !== 'plan' || isSaving) return;
  isSaving = true;
  try {
    const edit = planEditOf(market, saved, draft);
    const { version } = await editPlan(source.id, source.version, edit);
    const now = store.get();
    // Another plan may be open by now.
    if (now.place !== place) return;
    // Edits made since the request stay unsaved.
    const history = historySince({ present: now.draft, history: now.history }, draft);
    const notice = { text: 'Plan saved.' };
    store.update({ source: { ...source, version }, saved: draft, history, notice });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isOpen = store.get().place === place;
    if (error.status === 409 && isOpen) store.update({ dialog: 'conflict' });
    else store.update({ notice: { text: error.message } });
  } finally {
    isSaving = false;
  }
}

/** A plan that someone else saved while it was being edited here */
export interface Conflict {
  /** Name of the person or key that saved last */
  changedBy: string;
  changedAt: string;
  source: PlanSource;
  theirs: Draft;
  merged: Merged;
}

export async function loadConflict(): Promise<Conflict> {
  const { market, source, saved, draft } = store.get();
  if (!market || source.kind !== 'plan') throw new Error('No plan is open');
  const plan = await readPlan(source.id);
  const { changedBy, changedAt } = plan;
  const theirs = planDraft(plan, market);
  return {
    changedBy,
    changedAt,
    source: theirs.source,
    theirs: theirs.draft,
    merged: mergeDrafts(saved, draft, theirs.draft),
  };
}

/**
 * Continues with the other person's version and adds the edits to it. Undo leads to that version, because
 * earlier drafts lack its changes.
 */
export async function reapplyEdits({ source, theirs, merged }: Conflict): Promise<void> {
  store.update({
    saved: theirs,
    draft: merged.draft,
    dialog: null,
    history: { past: [{ value: theirs, label: 'Reapply your edits' }], future: [] },
    ...(merged.contested.size > 0 && { selection: merged.contested }),
    notice: { text: 'Your edits were reapplied to the other version. Save to keep both.' },
  });
  await followSource(source);
}

export async function discardEdits({ source, theirs }: Conflict): Promise<void> {
  store.update({ saved: theirs, draft: theirs, history: NO_HISTORY, dialog: null });
  await followSource(source);
}

/** Saves the edited version as another plan, and opens it. @throws Refusal */
export async function saveAsCopy({ source, theirs }: Conflict, name: string): Promise<void> {
  const { market, draft } = store.get();
  if (!market) return;
  const created = await createPlan({ name, copyOf: source.id });
  await editNewPlan(created, planEditOf(market, theirs, draft));
  store.update({ dialog: null });
  await openPlace(`plan=${encodeURIComponent(created.id)}`);
}
