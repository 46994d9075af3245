/** What the forms that upload a file share: its choice, its way to the service, and its progress. */
import { useRef, useState } from 'preact/hooks';
import { ACCEPTED_FILES } from '../../../../../base/contract/bounds.ts';
import { sendFile, type Settings } from './send-file.ts';

export interface Chosen {
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

/** Sends files. Another one replaces the one that is under way. */
export function useSending<Answer>(settings: Pick<Settings, 'path' | 'organization'>) {
  const [work, setWork] = useState<Work | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef<AbortController | null>(null);

  /** @returns null if it was stopped, or failed for a reason that `problem` has */
  async function send(
    label: string,
    file: Blob,
    query: Record<string, string>,
  ): Promise<Answer | null> {
    const abort = new AbortController();
    latest.current?.abort();
    latest.current = abort;
    setProblem(null);
    setWork({ label, share: 0, abort });
    // Leaving the page would end the upload.
    addEventListener('beforeunload', askFirst);
    try {
      return await sendFile<Answer>(
        settings,
        file,
        query,
        (share) => setWork({ label, share, abort }),
        abort.signal,
      );
    } catch (error) {
      if (!abort.signal.aborted) setProblem((error as Error).message);
      return null;
    } finally {
      if (latest.current === abort) {
        removeEventListener('beforeunload', askFirst);
        setWork(null);
      }
    }
  }
  return { work, problem, setProblem, send };
}

const MB = 1024 * 1024;

interface ChooseProps {
  maxBytes: number;
  /** What the file may contain, after its size */
  contents: string;
  isBusy: boolean;
  problem: string | null;
  setProblem: (text: string | null) => void;
  pasted: string;
  setPasted: (text: string) => void;
  onChosen: (chosen: Chosen) => void;
}

export function Choose({
  maxBytes,
  contents,
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
          Excel (.xlsx), CSV, GeoJSON, KML, KMZ, or a zipped shapefile, up to {maxBytes / MB} MB{' '}
          {contents}. Nothing is stored yet.
        </p>
        <input
          id="data-file"
          type="file"
          accept={ACCEPTED_FILES}
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

export function Progress({ label, share, abort }: Work) {
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
