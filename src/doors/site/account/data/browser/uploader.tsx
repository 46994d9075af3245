/** Uploads a file in two steps: first the service reads it and says how, then it is stored. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Columns, defaultChoices, isReadable, queryOf, type Choices } from './columns.tsx';
import { Report } from './report.tsx';
import { Choose, Progress, useSending, type Chosen } from './sending.tsx';
import type { Settings, Upload } from './send-file.ts';

/** Pause in changing columns after which the file is read again */
const PAUSE_MS = 500;
/** Larger files take seconds to send. People then decide when to read them again. */
const MAX_FOLLOWED_BYTES = 2 * 1024 * 1024;

/** Whether each change of a column reads the file again. Addresses cost units. */
const followsChoices = ({ file }: Chosen, { place }: Upload, choices: Choices): boolean =>
  file.size <= MAX_FOLLOWED_BYTES &&
  (choices.place?.by ?? place.by) !== 'address' &&
  choices.name.trim() !== '' &&
  isReadable(choices);

export function Uploader({ settings }: { settings: Settings }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [preview, setPreview] = useState<Upload | null>(null);
  const [choices, setChoices] = useState<Choices>(defaultChoices(''));
  /** The query of the preview. Only what the preview shows can be saved. */
  const [previewed, setPreviewed] = useState('');
  const [pasted, setPasted] = useState('');
  const { work, problem, setProblem, send } = useSending<Upload>(settings);
  const result = useRef<HTMLDivElement>(null);
  // Only of another file: while one changes columns, the focus stays there.
  useEffect(() => result.current?.focus(), [chosen]);
  const isBusy = work !== null;
  const isStale = JSON.stringify(queryOf(choices)) !== previewed;
  const follows = chosen !== null && preview !== null && followsChoices(chosen, preview, choices);
  useEffect(() => {
    if (!follows || !isStale) return undefined;
    const timer = setTimeout(() => void read(chosen!, choices), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [follows, isStale, chosen, choices]);

  async function read(given: Chosen, wanted: Choices) {
    const name = wanted.name.trim() || given.name || 'My data';
    const query = queryOf({ ...wanted, name });
    const answer = await send('Reading the file', given.file, {
      ...query,
      preview: 'true',
      findings: '10000',
    });
    if (!answer) return;
    setChosen(given);
    setPreview(answer);
    setPreviewed(JSON.stringify(query));
    // The person may have gone on meanwhile.
    setChoices((now) => (now === wanted ? { ...wanted, name } : now));
  }

  async function save() {
    const answer = await send('Saving', chosen!.file, queryOf(choices));
    if (answer) location.assign(`${settings.done}?done=data-saved`);
  }

  if (!preview || !chosen) {
    return (
      <>
        <Choose
          maxBytes={settings.maxBytes}
          contents="and a million rows, with ZIP codes, coordinates, or addresses"
          problem={problem}
          setProblem={setProblem}
          pasted={pasted}
          setPasted={setPasted}
          isBusy={isBusy}
          onChosen={(given) => {
            const fresh = defaultChoices(given.name);
            setChoices(fresh);
            void read(given, fresh);
          }}
        />
        {work && <Progress {...work} />}
      </>
    );
  }
  return (
    <div class="upload" ref={result} tabIndex={-1}>
      <Columns
        preview={preview}
        choices={choices}
        settings={settings}
        isBusy={isBusy}
        follows={follows}
        onChange={setChoices}
        onRead={() => void read(chosen, choices)}
      />
      <Report upload={preview} name={choices.name} />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {work && !(follows && isStale) && <Progress {...work} />}
      <p class="hint" role="status">
        {isStale &&
          problem === null &&
          (follows
            ? 'Reading the file again…'
            : 'Read the file again to see what these choices result in.')}
      </p>
      <p class="actions">
        <button
          type="button"
          class="button"
          disabled={isBusy || isStale}
          onClick={() => void save()}
        >
          {preview.dataSets.length === 1
            ? 'Save data set'
            : `Save ${preview.dataSets.length} data sets`}
        </button>
        <button
          type="button"
          class="quiet-button"
          disabled={isBusy}
          onClick={() => {
            setPreview(null);
            setProblem(null);
          }}
        >
          Choose another file
        </button>
      </p>
    </div>
  );
}
