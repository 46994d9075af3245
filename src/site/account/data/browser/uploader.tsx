/** Uploads a file in two steps: first the service reads it and says how, then it is stored. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Columns, defaultChoices, queryOf, type Choices } from './columns.tsx';
import { Report } from './report.tsx';
import { sendFile, type Settings, type Upload } from './send-file.ts';

interface Chosen {
  file: Blob;
  /** Name of the file without its ending; empty for pasted rows */
  name: string;
}

/** What the service is doing with the file */
interface Work {
  label: string;
  share: number;
  abort: AbortController;
}

const askFirst = (event: Event) => event.preventDefault();

export function Uploader({ settings }: { settings: Settings }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [preview, setPreview] = useState<Upload | null>(null);
  const [choices, setChoices] = useState<Choices>(defaultChoices(''));
  /** The query of the preview. Only what the preview shows can be saved. */
  const [previewed, setPreviewed] = useState('');
  const [pasted, setPasted] = useState('');
  const [work, setWork] = useState<Work | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => result.current?.focus(), [preview]);
  const isBusy = work !== null;
  const isStale = JSON.stringify(queryOf(choices)) !== previewed;

  async function send(label: string, given: Chosen, query: Record<string, string>) {
    const abort = new AbortController();
    setProblem(null);
    setWork({ label, share: 0, abort });
    // Leaving the page would end the upload.
    addEventListener('beforeunload', askFirst);
    try {
      return await sendFile(
        settings,
        given.file,
        query,
        (share) => setWork({ label, share, abort }),
        abort.signal,
      );
    } catch (error) {
      if (!abort.signal.aborted) setProblem((error as Error).message);
      return null;
    } finally {
      removeEventListener('beforeunload', askFirst);
      setWork(null);
    }
  }

  async function read(given: Chosen, wanted: Choices) {
    const name = wanted.name.trim() || given.name || 'My data';
    const query = queryOf({ ...wanted, name });
    const answer = await send('Reading the file', given, {
      ...query,
      preview: 'true',
      findings: '10000',
    });
    if (!answer) return;
    setChosen(given);
    setPreview(answer);
    setPreviewed(JSON.stringify(query));
    setChoices({ ...wanted, name });
  }

  async function save() {
    const answer = await send('Saving', chosen!, queryOf(choices));
    if (answer) location.assign(`${settings.done}?done=data-saved`);
  }

  if (!preview || !chosen) {
    return (
      <>
        <Choose
          {...{ settings, problem, setProblem, pasted, setPasted }}
          isBusy={isBusy}
          onChosen={(given) => void read(given, defaultChoices(given.name))}
        />
        {work && <Progress {...work} />}
      </>
    );
  }
  return (
    <div class="upload" ref={result} tabIndex={-1}>
      <Columns
        {...{ preview, choices, settings }}
        isBusy={isBusy}
        onChange={setChoices}
        onRead={() => void read(chosen, choices)}
      />
      <Report upload={preview} name={choices.name} />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {work && <Progress {...work} />}
      {isStale && <p class="hint">Read the file again to see what these choices result in.</p>}
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

const ACCEPTED =
  '.csv,.tsv,.txt,.xlsx,.json,.geojson,text/csv,application/geo+json,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const MB = 1024 * 1024;

interface ChooseProps {
  settings: Settings;
  isBusy: boolean;
  problem: string | null;
  setProblem: (text: string | null) => void;
  pasted: string;
  setPasted: (text: string) => void;
  onChosen: (chosen: Chosen) => void;
}

function Choose({
  settings: { maxBytes },
  isBusy,
  problem,
  setProblem,
  pasted,
  setPasted,
  onChosen,
}: ChooseProps) {
  const [isOver, setOver] = useState(false);
  function choose(file: File | undefined) {
    if (!file || isBusy) return;
    if (file.size > maxBytes) {
      setProblem(
        `${file.name} has ${(file.size / MB).toFixed(0)} MB; the limit is ${maxBytes / MB} MB. Remove columns, or split it.`,
      );
    } else onChosen({ file, name: file.name.replace(/\.[a-z0-9]{2,7}$/i, '') });
  }
  return (
    <form
      class={isOver ? 'drop over' : 'drop'}
      onSubmit={(event) => {
        event.preventDefault();
        onChosen({ file: new Blob([pasted]), name: '' });
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer?.files[0]);
      }}
    >
      <div class="field">
        <label for="data-file">File</label>
        <p class="hint" id="data-file-hint">
          CSV, Excel (.xlsx), or GeoJSON, up to {maxBytes / MB} MB and a million rows, with ZIP
          codes, coordinates, or addresses. Nothing is stored yet.
        </p>
        <input
          id="data-file"
          type="file"
          accept={ACCEPTED}
          disabled={isBusy}
          aria-describedby="data-file-hint"
          onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
        />
      </div>
      <div class="field">
        <label for="data-pasted">Or paste rows</label>
        <textarea
          id="data-pasted"
          rows={4}
          spellcheck={false}
          value={pasted}
          onInput={({ currentTarget }) => setPasted(currentTarget.value)}
        />
      </div>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button class="button" disabled={isBusy || pasted.trim() === ''}>
        Read rows
      </button>
    </form>
  );
}

function Progress({ label, share, abort }: Work) {
  const percent = Math.floor(100 * share);
  return (
    <div class="reading" role="status">
      <label>
        {label}… {percent > 0 && `${percent}%`}
        <progress max={1} value={share} />
      </label>
      <button type="button" class="quiet-button" onClick={() => abort.abort()}>
        Stop
      </button>
    </div>
  );
}
