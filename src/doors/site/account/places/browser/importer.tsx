/** Imports a file of places in two steps: first the service reads it and says how, then it is stored. */
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  PLACE_KINDS,
  PLACE_SYMBOLS,
  type PlaceKind,
} from '../../../../../data/basemap/place-symbols.ts';
import { formatCount, pluralize } from '../../../../../base/text/words.ts';
import type { PlaceImport, PlaceOutcome } from '../../../../../territories/places/import-types.ts';
import { saveAttention } from '../../data/browser/save-attention.ts';
import { Choose, Progress, useSending, type Chosen } from '../../data/browser/sending.tsx';

/** What the page tells the form */
export interface Settings {
  /** Address of the import in the API */
  path: string;
  /** Address of the page after an import */
  done: string;
  maxBytes: number;
  organization: string;
  brands: { slug: string; name: string }[];
  /** Whether the viewer may add places of the whole organization */
  hasAllBrands: boolean;
}

const OUTCOMES: Readonly<Record<PlaceOutcome, string>> = {
  added: 'added',
  changed: 'changed',
  unchanged: 'unchanged',
  left_out: 'left out',
};

/** Rows that the page lists. The file has all. */
const SHOWN = 20;

export function Importer({ settings }: { settings: Settings }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [preview, setPreview] = useState<PlaceImport | null>(null);
  const [kind, setKind] = useState<PlaceKind | ''>('');
  const [brand, setBrand] = useState(settings.hasAllBrands ? '' : (settings.brands[0]?.slug ?? ''));
  const [sheet, setSheet] = useState('');
  const [pasted, setPasted] = useState('');
  const { work, problem, setProblem, send } = useSending<PlaceImport>(settings);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => result.current?.focus(), [chosen]);
  const isBusy = work !== null;

  const queryOf = (parts: { kind: string; brand: string; sheet: string }) =>
    Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));

  async function read(given: Chosen, parts: { kind: string; brand: string; sheet: string }) {
    const query = { ...queryOf(parts), preview: 'true', findings: '20000' };
    const answer = await send('Reading the file', given.file, query);
    if (!answer) return;
    setChosen(given);
    setPreview(answer);
  }

  function choose(parts: Partial<{ kind: PlaceKind | ''; brand: string; sheet: string }>) {
    const next = { kind, brand, sheet, ...parts };
    setKind(next.kind);
    setBrand(next.brand);
    setSheet(next.sheet);
    if (chosen && preview) void read(chosen, next);
  }

  async function save() {
    const answer = await send('Saving', chosen!.file, queryOf({ kind, brand, sheet }));
    if (answer) location.assign(`${settings.done}?done=places-imported`);
  }

  const defaults = (
    <div class="import-defaults">
      <div class="field">
        <label for="import-kind">Kind of rows that don’t name one</label>
        <select
          id="import-kind"
          value={kind}
          disabled={isBusy}
          onChange={({ currentTarget }) => choose({ kind: currentTarget.value as PlaceKind | '' })}
        >
          <option value="">Leave them out</option>
          {PLACE_KINDS.map((one) => (
            <option key={one} value={one}>
              {PLACE_SYMBOLS[one].label}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="import-brand">Brand of rows that don’t name one</label>
        <select
          id="import-brand"
          value={brand}
          disabled={isBusy}
          onChange={({ currentTarget }) => choose({ brand: currentTarget.value })}
        >
          {settings.hasAllBrands && <option value="">The whole organization</option>}
          {settings.brands.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {preview && preview.sheets.length > 1 && (
        <div class="field">
          <label for="import-sheet">Sheet</label>
          <select
            id="import-sheet"
            value={sheet}
            disabled={isBusy}
            onChange={({ currentTarget }) => choose({ sheet: currentTarget.value })}
          >
            <option value="">First with a table</option>
            {preview.sheets.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </div>
      )}
    </div>
  );

  if (!preview || !chosen) {
    return (
      <>
        {defaults}
        <Choose
          maxBytes={settings.maxBytes}
          contents="with a row for each place: its name and kind, and coordinates, an address, or a ZIP code; also phone, email, web page, and opening hours"
          problem={problem}
          setProblem={setProblem}
          pasted={pasted}
          setPasted={setPasted}
          isBusy={isBusy}
          onChosen={(given) => void read(given, { kind, brand, sheet: '' })}
        />
        {work && <Progress {...work} />}
      </>
    );
  }
  const { counts } = preview;
  const changing = counts.added + counts.changed;
  return (
    <div class="upload" ref={result} tabIndex={-1}>
      <p>{preview.summary}</p>
      {defaults}
      <Report preview={preview} name={chosen.name} />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {work && <Progress {...work} />}
      <p class="actions">
        <button
          type="button"
          class="button"
          disabled={isBusy || changing === 0 || problem !== null}
          onClick={() => void save()}
        >
          {saveLabel(counts)}
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

/** `Add 12 places, and change 2` */
function saveLabel({ added, changed }: PlaceImport['counts']): string {
  if (changed === 0) return `Add ${pluralize(added, 'place')}`;
  if (added === 0) return `Change ${pluralize(changed, 'place')}`;
  return `Add ${pluralize(added, 'place')}, and change ${formatCount(changed)}`;
}

function Report({ preview, name }: { preview: PlaceImport; name: string }) {
  const { rows, counts, findings, firstRows } = preview;
  const title = `The first ${pluralize(firstRows.length, 'row')} as read`;
  return (
    <div class="result">
      <h3>{title}</h3>
      <div class="scroll" role="region" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                Line
              </th>
              <th scope="col">Place</th>
              <th scope="col">Kind</th>
              <th scope="col">Brand</th>
              <th scope="col">ZIP code</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {firstRows.map((row) => (
              <tr key={row.line}>
                <td class="number">{formatCount(row.line)}</td>
                <td>{row.given}</td>
                <td>{row.kind === null ? '–' : PLACE_SYMBOLS[row.kind].label}</td>
                <td>{row.brand ?? '–'}</td>
                <td>{row.zip ?? '–'}</td>
                <td>
                  <span class="tag">{OUTCOMES[row.outcome]}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h3>{pluralize(rows, 'row')}</h3>
      <ul class="outcome-list">
        {(Object.keys(OUTCOMES) as PlaceOutcome[])
          .filter((outcome) => counts[outcome] > 0)
          .map((outcome) => (
            <li key={outcome}>
              <b>{formatCount(counts[outcome])}</b> {OUTCOMES[outcome]}
            </li>
          ))}
      </ul>
      {findings.length > 0 && (
        <>
          <h3>Rows that need attention</h3>
          <div class="scroll" role="region" aria-label="Rows that need attention" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col" class="number">
                    Line
                  </th>
                  <th scope="col">Place</th>
                  <th scope="col">Result</th>
                  <th scope="col">Why</th>
                </tr>
              </thead>
              <tbody>
                {findings.slice(0, SHOWN).map(({ line, given, outcome, reason }) => (
                  <tr key={line}>
                    <td class="number">{formatCount(line)}</td>
                    <td>{given || '–'}</td>
                    <td>
                      <span class="tag">{OUTCOMES[outcome]}</span>
                    </td>
                    <td>{reason}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p>
            {findings.length > SHOWN && `${pluralize(findings.length - SHOWN, 'more row')}. `}
            <button
              type="button"
              class="quiet-button"
              onClick={() =>
                saveAttention(name || 'places', [
                  ['line', 'name', 'outcome', 'reason'],
                  ...findings.map(({ line, given, outcome, reason }) => [
                    String(line),
                    given,
                    OUTCOMES[outcome],
                    reason,
                  ]),
                ])
              }
            >
              Download these rows as CSV
            </button>
          </p>
        </>
      )}
    </div>
  );
}
