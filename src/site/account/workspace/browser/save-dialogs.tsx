/** The dialogs of saving: live changes before they are sent, and a plan that someone else has saved. */
import { useEffect, useState } from 'preact/hooks';
import { countZips, formatCount, formatList } from './counts.ts';
import { Dialog } from './dialog.tsx';
import type { LivePreview, LivePreviewAnswer, LiveSummary } from './live-change.ts';
import { messageOf } from './requests.ts';
import { previewLive, saveLive } from './save-live.ts';
import { discardEdits, loadConflict, repeatEdits, saveAsCopy, type Conflict } from './save-plan.ts';
import { store } from './state.ts';
import { useStore } from './use-store.ts';

const close = () => store.update({ dialog: null });

export function SaveDialogs() {
  const dialog = useStore((state) => state.dialog);
  if (dialog === 'save') return <LiveDialog />;
  return dialog === 'conflict' ? <ConflictDialog /> : null;
}

/** Loads a value once. @returns the value, or the reason why it can't be loaded */
function useLoaded<T>(load: () => Promise<T>): { value: T | null; problem: string | null } {
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    load().then(setValue, (error: unknown) => {
      setProblem(messageOf(error));
    });
  }, []);
  return { value, problem };
}

function LiveDialog() {
  const { value, problem } = useLoaded(previewLive);
  return (
    <Dialog title="Review changes" onClose={close}>
      {problem !== null && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {!value && problem === null && <p role="status">Measuring the effect …</p>}
      {value && <LiveForm answer={value} />}
    </Dialog>
  );
}

function LiveForm({ answer: { previews, once, withheld } }: { answer: LivePreviewAnswer }) {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const requested = previews.reduce((sum, one) => sum + one.requested.length, 0);
  const removed = previews.reduce((sum, one) => sum + one.removed.length, 0);
  const parts = [
    ...(requested > 0 ? [`send ${formatCount(requested)} to review`] : []),
    ...(removed > 0 ? [`remove ${formatCount(removed)}`] : []),
  ];
  const send = async (note: string) => {
    setSending(true);
    setProblem(null);
    try {
      await saveLive(once, note);
    } catch (error) {
      setProblem(messageOf(error));
      setSending(false);
    }
  };
  const label = formatList(parts);
  return (
    <form
      class="live-changes"
      onSubmit={(event) => {
        event.preventDefault();
        void send(String(new FormData(event.currentTarget).get('note')));
      }}
    >
      {previews.map((preview) => (
        <BrandPreview key={preview.brand} preview={preview} />
      ))}
      {withheld !== null && <p class="notice">Households can’t be shown. {withheld}</p>}
      {parts.length === 0 ? (
        <p>There is nothing left to save: someone else made the same changes.</p>
      ) : (
        <>
          <label for="note">Note for reviewers and the activity (optional)</label>
          <textarea id="note" name="note" rows={2} maxLength={500} />
          {problem !== null && (
            <p class="notice bad" role="alert">
              {problem}
            </p>
          )}
          <footer>
            <p class="quiet small">
              A reviewer decides on additions. Removals take effect at once, and each brand’s can be
              undone.
            </p>
            <button type="submit" class="button" disabled={isSending}>
              {isSending ? 'Saving …' : label[0]!.toUpperCase() + label.slice(1)}
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
      <table class="effect">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Measure</span>
            </th>
            <th scope="col">Now</th>
            <th scope="col">If approved</th>
          </tr>
        </thead>
        <tbody>
          {MEASURES.map(([label, value]) => {
            const [was, is] = [figure(value(before)), figure(value(after))];
            return (
              <tr key={label} class={was === is ? 'same' : ''}>
                <th scope="row">{label}</th>
                <td>{was}</td>
                <td>{is}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
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

function ConflictDialog() {
  const { value, problem } = useLoaded(loadConflict);
  return (
    <Dialog title="Someone else saved this plan" onClose={close}>
      {problem !== null && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {!value && problem === null && <p role="status">Loading the other version …</p>}
      {value && <ConflictForm conflict={value} />}
    </Dialog>
  );
}

function ConflictForm({ conflict }: { conflict: Conflict }) {
  const [problem, setProblem] = useState<string | null>(null);
  const { changedBy, changedAt, source, merged } = conflict;
  const { contested, restored } = merged;
  const when = new Date(changedAt).toLocaleTimeString('en-US', { timeStyle: 'short' });
  const copy = async (name: string) => {
    setProblem(null);
    try {
      await saveAsCopy(conflict, name);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  /** The edits are there at once; other measures may fail to load. */
  const act = (change: (conflict: Conflict) => Promise<void>) =>
    change(conflict).catch((error: unknown) =>
      store.update({ notice: { text: messageOf(error) } }),
    );
  return (
    <form
      class="conflict"
      onSubmit={(event) => {
        event.preventDefault();
        void copy(String(new FormData(event.currentTarget).get('name')));
      }}
    >
      <p>
        {changedBy} saved version {source.version} at {when}. Your edits are still here, and nothing
        was overwritten.
      </p>
      <h3>Keep both</h3>
      <p>
        {contested.size === 0
          ? 'You changed different ZIP codes, so your edits fit on top.'
          : `You both moved ${countZips(contested.size)}. Your moves count, and the map selects them for you to check.`}
        {restored.length > 0 &&
          ` ${formatList(restored.map(({ name }) => name))} was deleted and comes back, because your edits need it.`}
      </p>
      <p>
        <button type="button" class="button" onClick={() => void act(repeatEdits)}>
          Put my edits on top
        </button>
      </p>
      <h3>Save mine as another plan</h3>
      <label for="copy-name">Name</label>
      <div class="with-button">
        <input
          id="copy-name"
          name="name"
          defaultValue={`${source.name} (copy)`.slice(-120)}
          maxLength={120}
          required
        />
        <button type="submit" class="quiet-button">
          Save a copy
        </button>
      </div>
      {problem !== null && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <p class="actions">
        <button type="button" class="quiet-button" onClick={() => void act(discardEdits)}>
          Discard my edits
        </button>
      </p>
    </form>
  );
}
