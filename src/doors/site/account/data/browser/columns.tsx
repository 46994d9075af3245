/** What the columns of a file mean: what places a row, and what is counted, added up, or averaged. */
import type { AmountKind, Settings, Upload, UploadQuery } from './send-file.ts';

export interface Choices {
  name: string;
  period: string;
  sheet: string;
  /** Null: as the service guesses */
  place:
    | { by: 'zip'; column: string }
    | { by: 'coordinates'; lng: string; lat: string }
    | { by: 'address'; columns: string[] }
    | null;
  /** Null: as the service guesses. Columns by number; `count` has none */
  amounts: { kind: AmountKind; column: string }[] | null;
  /** Numbers of columns whose amounts have decimal commas */
  decimalCommas: string[];
  groupBy: string;
  suppressBelow: string;
}

export const defaultChoices = (name: string): Choices => ({
  name,
  period: '',
  sheet: '',
  place: null,
  amounts: null,
  decimalCommas: [],
  groupBy: '',
  suppressBelow: '',
});

/** Returns the parameters of the upload. Columns are named by position, because headings may contain commas or be numbers. */
export function queryOf(choices: Choices): UploadQuery {
  const { name, period, sheet, place, amounts, decimalCommas, groupBy, suppressBelow } = choices;
  const at = (column: string) => (column === '' ? '' : `column ${column}`);
  const listed = (kind: AmountKind) =>
    (amounts ?? [])
      .filter((one) => one.kind === kind)
      .map(({ column }) => at(column))
      .join();
  const all: UploadQuery = {
    name: name.trim(),
    period: period.trim(),
    sheet,
    suppressBelow,
    groupBy: at(groupBy),
    ...(place?.by === 'zip' && { zip: at(place.column) }),
    ...(place?.by === 'coordinates' && { lng: at(place.lng), lat: at(place.lat) }),
    ...(place?.by === 'address' && { address: place.columns.map(at).join() }),
    ...(amounts?.some(({ kind }) => kind === 'count') && { count: 'true' }),
    sum: listed('sum'),
    mean: listed('mean'),
    decimalComma: decimalCommas.map(at).join(),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

interface ColumnsProps {
  preview: Upload;
  choices: Choices;
  settings: Settings;
  isBusy: boolean;
  /** Whether each change reads the file again, so that no button is needed */
  follows: boolean;
  onChange: (choices: Choices) => void;
  /** Reads the file again with the choices */
  onRead: () => void;
}

export function Columns(props: ColumnsProps) {
  const { preview, choices, settings, isBusy, follows, onChange, onRead } = props;
  const { columns, sheets } = preview;
  const change = (part: Partial<Choices>) => onChange({ ...choices, ...part });
  const numberOf = (name: string) =>
    String(columns.find((column) => column.name === name)?.number ?? '');
  const place = choices.place ?? placeOf(preview, numberOf);
  const amounts = choices.amounts ?? amountsOf(preview, numberOf);
  const chosen = (kind: AmountKind, column: string) =>
    amounts.some((one) => one.kind === kind && one.column === column);
  const toggle = (kind: AmountKind, column: string) =>
    change({
      amounts: chosen(kind, column)
        ? amounts.filter((one) => one.kind !== kind || one.column !== column)
        : [...amounts, { kind, column }],
    });
  const numeric = columns.filter(
    ({ content, decimalComma }) => content === 'number' || decimalComma,
  );
  const toggleCommas = (column: string) =>
    change({
      decimalCommas: choices.decimalCommas.includes(column)
        ? choices.decimalCommas.filter((one) => one !== column)
        : [...choices.decimalCommas, column],
    });
  return (
    <form
      class="meaning"
      onSubmit={(event) => {
        event.preventDefault();
        onRead();
      }}
    >
      <p>{preview.summary}</p>
      <div class="row">
        <div class="field">
          <label for="data-name">Name</label>
          <input
            id="data-name"
            type="text"
            required
            maxLength={120}
            value={choices.name}
            onInput={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        </div>
        <div class="field">
          <label for="data-period">Period (optional)</label>
          <input
            id="data-period"
            type="text"
            maxLength={60}
            placeholder="2025"
            value={choices.period}
            onInput={({ currentTarget }) => change({ period: currentTarget.value })}
          />
        </div>
        {sheets.length > 1 && (
          <div class="field">
            <label for="data-sheet">Sheet</label>
            <select
              id="data-sheet"
              value={choices.sheet}
              onChange={({ currentTarget }) => {
                onChange({ ...defaultChoices(choices.name), sheet: currentTarget.value });
              }}
            >
              <option value="">First with a table</option>
              {sheets.map((sheet) => (
                <option key={sheet}>{sheet}</option>
              ))}
            </select>
          </div>
        )}
      </div>
      <fieldset class="field">
        <legend>What places a row</legend>
        <PlaceFields
          place={place}
          columns={columns}
          settings={settings}
          onChange={(next) => change({ place: next })}
        />
      </fieldset>
      <fieldset class="field">
        <legend>What to store for each ZIP code</legend>
        <div class="amounts">
          <label class="choice">
            <input
              type="checkbox"
              checked={chosen('count', '')}
              onChange={() => toggle('count', '')}
            />
            Number of rows
          </label>
          {numeric.map(({ number, name, decimalComma }) => (
            <span key={number} class="amount">
              <span class="name">{name}</span>
              {(['sum', 'mean'] as const).map((kind) => (
                <label key={kind} class="choice">
                  <input
                    type="checkbox"
                    checked={chosen(kind, String(number))}
                    onChange={() => toggle(kind, String(number))}
                  />
                  <span>
                    {kind === 'sum' ? 'Sum' : 'Mean'}
                    <span class="visually-hidden"> of {name}</span>
                  </span>
                </label>
              ))}
              {decimalComma && (
                <label class="choice commas">
                  <input
                    type="checkbox"
                    checked={choices.decimalCommas.includes(String(number))}
                    onChange={() => toggleCommas(String(number))}
                  />
                  <span>
                    Decimal commas
                    <span class="visually-hidden"> in {name}</span>
                  </span>
                </label>
              )}
            </span>
          ))}
        </div>
      </fieldset>
      <div class="row">
        <div class="field">
          <label for="data-group">One data set for each value of</label>
          <Column
            id="data-group"
            columns={columns.filter(({ content }) => content === 'text' || content === 'number')}
            value={choices.groupBy}
            none="No groups"
            onChange={(groupBy) => change({ groupBy })}
          />
        </div>
        <div class="field">
          <label for="data-suppress">Leave out ZIP codes with fewer rows than</label>
          <input
            id="data-suppress"
            type="number"
            min={0}
            max={1000}
            placeholder="None"
            value={choices.suppressBelow}
            onInput={({ currentTarget }) => change({ suppressBelow: currentTarget.value })}
          />
        </div>
      </div>
      {!follows && (
        <button
          class="quiet-button"
          disabled={isBusy || amounts.length === 0 || !isComplete(place)}
        >
          Read again with these columns
        </button>
      )}
    </form>
  );
}

/** Whether the service can read the file with these choices */
export const isReadable = ({ place, amounts }: Choices): boolean =>
  (place === null || isComplete(place)) && amounts?.length !== 0;

/** Whether each column is chosen */
const isComplete = (place: PlaceChoice) =>
  place.by === 'address'
    ? place.columns.length > 0
    : (place.by === 'zip' ? [place.column] : [place.lng, place.lat]).every((one) => one !== '');

type NumberOf = (name: string) => string;
type PlaceChoice = NonNullable<Choices['place']>;

function placeOf({ place: { by, columns } }: Upload, numberOf: NumberOf): PlaceChoice {
  const [first = '', second = ''] = columns.map(numberOf);
  if (by === 'zip') return { by, column: first };
  return by === 'coordinates'
    ? { by, lng: first, lat: second }
    : { by, columns: columns.map(numberOf) };
}

const amountsOf = ({ amounts }: Upload, numberOf: NumberOf) =>
  amounts.map(({ kind, column }) => ({ kind, column: column === null ? '' : numberOf(column) }));

interface ColumnProps {
  id: string;
  columns: Upload['columns'];
  value: string;
  /** Text of an empty choice */
  none?: string;
  onChange: (number: string) => void;
}

const Column = ({ id, columns, value, none, onChange }: ColumnProps) => (
  <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
    {(none !== undefined || value === '') && <option value="">{none ?? 'Choose a column'}</option>}
    {columns.map(({ number, name }) => (
      <option key={number} value={String(number)}>
        {name}
      </option>
    ))}
  </select>
);

interface PlaceProps {
  place: PlaceChoice;
  columns: Upload['columns'];
  settings: Settings;
  onChange: (place: PlaceChoice) => void;
}

const PLACE_LABELS = { zip: 'ZIP code', coordinates: 'Coordinates', address: 'Address' } as const;

function PlaceFields({ place, columns, settings, onChange }: PlaceProps) {
  const kinds = (['zip', 'coordinates', 'address'] as const).filter(
    (by) => by !== 'address' || settings.geocodes,
  );
  const found = (content: string) =>
    String(columns.find((column) => column.content === content)?.number ?? '');
  const start = (by: PlaceChoice['by']): PlaceChoice => {
    if (by === 'zip') return { by, column: found('zip') };
    if (by === 'coordinates') return { by, lng: found('longitude'), lat: found('latitude') };
    return { by, columns: [] };
  };
  return (
    <>
      <div class="choices">
        {kinds.map((by) => (
          <label key={by} class="choice">
            <input
              type="radio"
              name="place"
              checked={place.by === by}
              onChange={() => onChange(start(by))}
            />
            {PLACE_LABELS[by]}
          </label>
        ))}
      </div>
      <div class="row">
        {place.by === 'zip' && (
          <div class="field">
            <label for="data-zip">Column of ZIP codes</label>
            <Column
              id="data-zip"
              columns={columns}
              value={place.column}
              onChange={(column) => onChange({ by: 'zip', column })}
            />
          </div>
        )}
        {place.by === 'coordinates' &&
          (['lng', 'lat'] as const).map((side) => (
            <div key={side} class="field">
              <label for={`data-${side}`}>{side === 'lng' ? 'Longitude' : 'Latitude'}</label>
              <Column
                id={`data-${side}`}
                columns={columns}
                value={place[side]}
                onChange={(column) => onChange({ ...place, [side]: column })}
              />
            </div>
          ))}
        {place.by === 'address' && (
          <div>
            <p class="hint">
              Looking up 100 different addresses costs 1 unit, each time that the file is read.
            </p>
            <div class="choices">
              {columns
                .filter(({ content }) => content !== 'empty')
                .map(({ number, name }) => {
                  const column = String(number);
                  const isUsed = place.columns.includes(column);
                  return (
                    <label key={number} class="choice">
                      <input
                        type="checkbox"
                        checked={isUsed}
                        onChange={() =>
                          onChange({
                            by: 'address',
                            columns: isUsed
                              ? place.columns.filter((one) => one !== column)
                              : [...place.columns, column],
                          })
                        }
                      />
                      {name}
                    </label>
                  );
                })}
            </div>
          </div>
        )}
      </div>
    </>
  );
}
