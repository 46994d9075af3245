/** Saves live territories, and shows the dialogs for saving, which the state opens. */
import { useState } from 'preact/hooks';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';
import { RefusalText, useLoaded, useAttempt } from '../controls/attempt.tsx';
import { countZips, formatList, formatCount, namedZips } from '../counts.ts';
import { DayField, longDay, whenText } from '../controls/day-field.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { PlanNameForm } from '../plans/plan-name-form.tsx';
import { messageOf, postForm } from '../requests.ts';
import {
  discardEdits,
  loadConflict,
  reapplyEdits,
  saveAsCopy,
  type Conflict,
} from './save-plan.ts';
import { EffectTable } from '../territories/effect-table.tsx';
import {
  type LivePreview,
  type LivePreviewAnswer,
  type LiveSummary,
  type LiveChange,
  type LiveSavedAnswer,
  type LiveUndoneAnswer,
} from './live-change.ts';
import { liveChangesOf } from './changes.ts';
import { config, pathWith } from '../config.ts';
import { reloadDraft } from '../load.ts';

const close = () => store.update({ dialog: null });

export function SaveDialogs() {
  const dialog = useStore((state) => state.dialog);
  if (dialog === 'save') return <LiveDialog onClose={close} />;
  return dialog === 'conflict' ? <ConflictDialog onClose={close} /> : null;
}

/** Ways to continue after someone else has saved the plan. */
function ConflictDialog({ onClose }: { onClose: () => void }) {
  const { value, refusal } = useLoaded(loadConflict);
  return (
    <Dialog title="Someone else saved this plan" onClose={onClose}>
      <RefusalText>{refusal}</RefusalText>
      {!value && refusal === null && <p role="status">Loading the other version…</p>}
      {value && <ConflictForm conflict={value} />}
    </Dialog>
  );
}

function ConflictForm({ conflict }: { conflict: Conflict }) {
  const { changedBy, changedAt, source, merged } = conflict;
  const { contested, restored } = merged;
  const when = new Date(changedAt).toLocaleTimeString('en-US', { timeStyle: 'short' });
  /** The edits appear at once, but other measures may fail to load. */
  const act = (change: (conflict: Conflict) => Promise<void>) =>
    change(conflict).catch((error: unknown) =>
      store.update({ notice: { text: messageOf(error) } }),
    );
  return (
    <div class="conflict">
      <p>
        {changedBy} saved version {source.version} at {when}. Your edits are still here, and nothing
        was overwritten.
      </p>
      <h3>Keep both</h3>
      <p>
        {contested.size === 0
          ? 'You changed different ZIP codes, so your edits don’t conflict.'
          : `You both moved ${countZips(contested.size)}. Your moves take precedence. ${contested.size === 1 ? 'This ZIP code is' : 'These ZIP codes are'} selected on the map so you can check ${contested.size === 1 ? 'it' : 'them'}.`}
        {restored.length > 0 &&
          ` ${formatList(restored.map(({ name }) => name))} ${restored.length === 1 ? 'was' : 'were'} deleted in the meantime. Your edits restore ${restored.length === 1 ? 'it' : 'them'}.`}
      </p>
      <p>
        <button type="button" class="button" onClick={() => void act(reapplyEdits)}>
          Reapply my edits
        </button>
      </p>
      <h3>Save mine as another plan</h3>
      <PlanNameForm
        first={`Copy of ${source.name}`}
        submit="Save a copy"
        isQuiet
        save={(name) => saveAsCopy(conflict, name)}
      />
      <h3>Keep only theirs</h3>
      <p>
        <button type="button" class="quiet-button" onClick={() => void act(discardEdits)}>
          Discard my edits
        </button>
      </p>
    </div>
  );
}

/** Live changes and their effect, before they are sent. */
function LiveDialog({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState('');
  return (
    <Dialog title="Review changes" onClose={onClose}>
      <DayField value={on} onChange={setOn} />
      <PreviewedLive key={on} on={on} />
    </Dialog>
  );
}

/** The effect depends on the day: others may have given up, or got, ZIP codes by then. */
function PreviewedLive({ on }: { on: string }) {
  const { value, refusal } = useLoaded(() => previewLive(on));
  return (
    <>
      <RefusalText>{refusal}</RefusalText>
      {!value && refusal === null && <p role="status">Measuring the effect…</p>}
      {value && <LiveForm answer={value} on={on} />}
    </>
  );
}

/** `2 additions and 1 removal` */
const countParts = (added: number, removed: number) =>
  formatList([
    ...(added > 0 ? [`${formatCount(added)} ${added === 1 ? 'addition' : 'additions'}`] : []),
    ...(removed > 0 ? [`${formatCount(removed)} ${removed === 1 ? 'removal' : 'removals'}`] : []),
  ]);

function LiveForm({ answer, on }: { answer: LivePreviewAnswer; on: string }) {
  const { previews, once, withheld, isOne, needsReview } = answer;
  const { attempt, isWorking, refusal } = useAttempt();
  const requested = previews.reduce((sum, one) => sum + one.requested.length, 0);
  const removed = previews.reduce((sum, one) => sum + one.removed.length, 0);
  const label =
    isOne && (on !== '' || needsReview)
      ? `${needsReview ? 'Send' : 'Plan'} ${countParts(requested, removed)}${needsReview ? ' to review' : ''}`
      : formatList([
          ...(requested > 0
            ? [
                needsReview
                  ? `Send ${formatCount(requested)} to review`
                  : `Add ${formatCount(requested)}`,
              ]
            : []),
          ...(removed > 0
            ? [`${requested > 0 ? 'remove' : 'Remove'} ${formatCount(removed)}`]
            : []),
        ]);
  return (
    <form
      class="live-changes"
      onSubmit={(event) => {
        event.preventDefault();
        const note = String(new FormData(event.currentTarget).get('note'));
        if (!isWorking) void attempt(() => saveLive(once, note, on));
      }}
    >
      {previews.map((preview) => (
        <BrandPreview key={preview.brand} preview={preview} />
      ))}
      {withheld !== null && <p class="notice">Households can’t be shown. {withheld}</p>}
      {requested + removed === 0 ? (
        <p>
          {previews.some(({ unknown }) => unknown.length > 0)
            ? 'Nothing can be saved, for the reasons above.'
            : 'Nothing to save. Someone else already made these changes.'}
        </p>
      ) : (
        <>
          <label>
            Note for reviewers and the activity log (optional)
            <textarea name="note" rows={2} maxLength={500} />
          </label>
          <RefusalText>{refusal}</RefusalText>
          <footer>
            <p class="quiet small">
              {isOne
                ? `${whenText(on, needsReview)} It can be undone as one.`
                : requested > 0
                  ? needsReview
                    ? 'A reviewer approves or rejects additions.'
                    : 'Additions go live at once, because owners need no review.'
                  : 'Removals take effect immediately and can be undone.'}
            </p>
            <button type="submit" class="button" disabled={isWorking}>
              {isWorking ? 'Saving…' : label}
            </button>
          </footer>
        </>
      )}
    </form>
  );
}

const MEASURES: readonly [label: string, value: (summary: LiveSummary) => number | null][] = [
  ['ZIP codes', ({ zips }) => zips],
  ['Households', ({ households }) => households],
  ['Pieces', ({ pieces }) => pieces],
  ['Holes', ({ holes }) => holes],
  ['Gaps', ({ gaps }) => gaps],
  ['Isolated', ({ isolated }) => isolated],
  ['Shared', ({ shared }) => shared],
];

const figure = (value: number | null) => formatCount(value ?? NaN);

function BrandPreview({ preview }: { preview: LivePreview }) {
  const { name, requested, removed, before, after } = preview;
  const warnings: [text: string, zips: readonly string[]][] = [
    ['Leaves a hole', preview.newHoles],
    ['Leaves gaps, mostly surrounded', preview.newGaps],
    ['Cuts off', preview.cutOff],
    ['Becomes isolated', preview.newlyIsolated],
    ['Also held by another brand', preview.shared],
    ['Already done', preview.done],
    ...preview.unknown.map(
      ({ reason, zips }) => [`Skipped, ${reason}`, zips] as [string, string[]],
    ),
  ];
  return (
    <section class="brand-preview">
      <h3>{name}</h3>
      <p>
        {[
          requested.length > 0 &&
            `Requests ${countZips(requested.length)}: ${namedZips(requested)}.`,
          removed.length > 0 && `Removes ${countZips(removed.length)}: ${namedZips(removed)}.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      <EffectTable
        after="Afterward"
        rows={MEASURES.map(([label, value]) => [
          label,
          figure(value(before)),
          figure(value(after)),
        ])}
      />
      <ul class="cautions">
        {warnings
          .filter(([, zips]) => zips.length > 0)
          .map(([text, zips]) => (
            <li key={text}>
              {text}: {namedZips(zips)}.
            </li>
          ))}
      </ul>
    </section>
  );
}

/** Saves live territories: a preview of the effect, the change, and undoing its removals. */
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
const previewLive = (on: string): Promise<LivePreviewAnswer> =>
  postForm(config().paths.previewChanges, { changes: changesText(), on });

/** Makes the changes, and reloads the live territories. @throws Refusal */
async function saveLive(once: string, note: string, on: string): Promise<void> {
  const { saved, change } = await postForm<LiveSavedAnswer>(config().paths.saveChanges, {
    changes: changesText(),
    once,
    note,
    on,
  });
  const requested = saved.reduce((sum, one) => sum + one.requested, 0);
  const removals = saved.filter(({ removalId }) => removalId !== null);
  const removed = removals.reduce((sum, one) => sum + one.removed, 0);
  const left = refusedTexts(saved.flatMap((one) => one.refused));
  const leaving = saved.reduce((sum, one) => sum + one.leaving, 0);
  const waits = change !== null && change.status !== 'live';
  const done = [
    ...(waits
      ? [
          `${countParts(requested, leaving)} ${change.status === 'scheduled' ? `planned for ${longDay(change.on!)}` : 'sent to review'}`,
        ]
      : requested > 0
        ? [
            `${formatCount(requested)} ${saved.some((one) => one.goesLive) ? 'now live' : 'sent to review'}`,
          ]
        : []),
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
      ...(change
        ? {
            action: waits
              ? {
                  label: 'See the change',
                  run: () => location.assign(pathWith(config().paths.change, change.id)),
                }
              : { label: 'Undo the change', run: () => void undoChange(change.id) },
          }
        : removals.length > 0 && {
            action: {
              label: 'Undo the removal',
              run: () => void undoRemovals(removals as { brand: string; removalId: string }[]),
            },
          }),
    },
  });
}

async function undoChange(change: string): Promise<void> {
  try {
    await postForm<LiveUndoneAnswer>(config().paths.undoRemoval, { change });
    store.update({ notice: { text: 'The change was undone.' } });
  } catch (error) {
    store.update({ notice: { text: messageOf(error) } });
  }
  await reloadDraft();
}

const refusedTexts = (refused: LiveUndoneAnswer['refused']) =>
  refused.map(({ reason, zips }) => `${zips.join(', ')} (${reason})`);

async function undoRemovals(removals: readonly { brand: string; removalId: string }[]) {
  try {
    const refused: LiveUndoneAnswer['refused'] = [];
    for (const { brand, removalId } of removals) {
      const undone = await postForm<LiveUndoneAnswer>(config().paths.undoRemoval, {
        brand,
        removal: removalId,
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
