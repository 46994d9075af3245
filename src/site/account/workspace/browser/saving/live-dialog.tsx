/** Live changes and their effect, before they are sent. */
import { RefusalText, useAttempt, useLoaded } from '../controls/attempt.tsx';
import { countZips, formatCount, formatList } from '../counts.ts';
import { Dialog } from '../controls/dialog.tsx';
import { EffectTable } from '../territories/effect-table.tsx';
import type { LivePreview, LivePreviewAnswer, LiveSummary } from './live-change.ts';
import { previewLive, saveLive } from './save-live.ts';

export function LiveDialog({ onClose }: { onClose: () => void }) {
  const { value, refusal } = useLoaded(previewLive);
  return (
    <Dialog title="Review changes" onClose={onClose}>
      <RefusalText>{refusal}</RefusalText>
      {!value && refusal === null && <p role="status">Measuring the effect…</p>}
      {value && <LiveForm answer={value} />}
    </Dialog>
  );
}

function LiveForm({ answer: { previews, once, withheld } }: { answer: LivePreviewAnswer }) {
  const { attempt, isWorking, refusal } = useAttempt();
  const requested = previews.reduce((sum, one) => sum + one.requested.length, 0);
  const removed = previews.reduce((sum, one) => sum + one.removed.length, 0);
  const parts = [
    ...(requested > 0 ? [`send ${formatCount(requested)} to review`] : []),
    ...(removed > 0 ? [`remove ${formatCount(removed)}`] : []),
  ];
  const label = formatList(parts);
  return (
    <form
      class="live-changes"
      onSubmit={(event) => {
        event.preventDefault();
        const note = String(new FormData(event.currentTarget).get('note'));
        if (!isWorking) void attempt(() => saveLive(once, note));
      }}
    >
      {previews.map((preview) => (
        <BrandPreview key={preview.brand} preview={preview} />
      ))}
      {withheld !== null && <p class="notice">Households can’t be shown. {withheld}</p>}
      {parts.length === 0 ? (
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
              A reviewer approves or rejects additions. Removals take effect immediately and can be
              undone for each brand.
            </p>
            <button type="submit" class="button" disabled={isWorking}>
              {isWorking ? 'Saving…' : label[0]!.toUpperCase() + label.slice(1)}
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

/** Number of ZIP codes that a sentence names */
const FEW = 6;

const namedZips = (zips: readonly string[]) =>
  zips.length <= FEW
    ? formatList(zips)
    : `${zips.slice(0, FEW).join(', ')} and ${formatCount(zips.length - FEW)} more`;

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
        after="If approved"
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
