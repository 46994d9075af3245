/** Saves live territories: a preview of the effect, the change, and undoing its removals. */
import { liveChangesOf } from './changes.ts';
import { config } from '../config.ts';
import { formatCount } from '../counts.ts';
import type {
  LiveChange,
  LivePreviewAnswer,
  LiveSavedAnswer,
  LiveUndoneAnswer,
} from './live-change.ts';
import { reloadDraft } from '../load.ts';
import { messageOf, postForm } from '../requests.ts';
import { store } from '../state.ts';

function changesText(): string {
  const { market, saved, draft } = store.get();
  const changes: LiveChange[] = market
    ? liveChangesOf(market, saved, draft).map(({ brand, added, removed }) => ({
        brand: brand.slug,
        added: added.join(' '),
        removed: removed.join(' '),
      }))
    : [];
  return JSON.stringify(changes);
}

/** @throws Refusal */
export const previewLive = (): Promise<LivePreviewAnswer> =>
  postForm(config().paths.previewChanges, { changes: changesText() });

/** Makes the changes, and reloads the live territories. @throws Refusal */
export async function saveLive(once: string, note: string): Promise<void> {
  const { saved } = await postForm<LiveSavedAnswer>(config().paths.saveChanges, {
    ...{ changes: changesText(), once, note },
  });
  const requested = saved.reduce((sum, one) => sum + one.requested, 0);
  const removals = saved.filter(({ removalId }) => removalId !== null);
  const removed = removals.reduce((sum, one) => sum + one.removed, 0);
  const left = refusedTexts(saved.flatMap((one) => one.refused));
  const done = [
    ...(requested > 0 ? [`${formatCount(requested)} sent to review`] : []),
    ...(removed > 0 ? [`${formatCount(removed)} removed`] : []),
  ];
  store.update({ dialog: null });
  await reloadDraft();
  store.update({
    notice: {
      text: [
        ...(done.length > 0 ? [`Saved: ${done.join(', ')}.`] : []),
        ...(left.length > 0 ? [`Not requested: ${left.join('; ')}.`] : []),
        ...(done.length + left.length === 0
          ? ['Nothing to save. Someone else already made these changes.']
          : []),
      ].join(' '),
      ...(removals.length > 0 && {
        action: {
          label: 'Undo the removal',
          run: () => void undoRemovals(removals as { brand: string; removalId: string }[]),
        },
      }),
    },
  });
}

const refusedTexts = (refused: LiveUndoneAnswer['refused']) =>
  refused.map(({ reason, zips }) => `${zips.join(', ')} (${reason})`);

async function undoRemovals(removals: readonly { brand: string; removalId: string }[]) {
  try {
    const refused: LiveUndoneAnswer['refused'] = [];
    for (const { brand, removalId } of removals) {
      const undone = await postForm<LiveUndoneAnswer>(config().paths.undoRemoval, {
        ...{ brand, removal: removalId },
      });
      refused.push(...undone.refused);
    }
    const left = refusedTexts(refused);
    const text =
      left.length > 0
        ? `The removed ZIP codes were restored, except ${left.join('; ')}.`
        : 'The removed ZIP codes were restored.';
    store.update({ notice: { text } });
  } catch (error) {
    store.update({ notice: { text: messageOf(error) } });
  }
  await reloadDraft();
}
