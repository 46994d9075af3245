/** What the service made of a file: the data sets, every row by outcome, and the rows that need attention. */
import { formatAmount } from '../../../../../territories/own-data/amount-text.ts';
import { formatCount, pluralize } from '../../../../../base/text/words.ts';
import { OUTCOMES } from '../../../../../territories/own-data/import/types.ts';
import { OUTCOME_WORDS } from '../../../../../territories/own-data/outcome-words.ts';
import { saveAttention } from './save-attention.ts';
import type { Upload } from './send-file.ts';

/** Findings that the page lists. The file has up to 10,000. */
const SHOWN = 20;

export function Report({ upload, name }: { upload: Upload; name: string }) {
  const { dataSets, findings, rows, counts } = upload;
  const attention = rows - counts.placed;
  return (
    <div class="result">
      <FirstRows upload={upload} />
      <h3>What this file results in</h3>
      <ul class="sets">
        {dataSets.map((set) => (
          <li key={set.name}>
            <b>{set.name}</b>
            <span>
              {formatAmount(set, set.total)}
              {set.kind === 'mean' && ' on average'} in {pluralize(set.zipCount, 'ZIP code')}
              {set.suppressedZips > 0 && `, ${formatCount(set.suppressedZips)} left out`}
            </span>
            {set.replaces && <span class="tag">Replaces the last upload</span>}
          </li>
        ))}
      </ul>
      <h3>{pluralize(rows, 'row')}</h3>
      <Bar counts={counts} rows={rows} />
      {attention > 0 && (
        <>
          <h3>Rows that need attention</h3>
          <div class="scroll" role="region" aria-label="Rows that need attention" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col" class="number">
                    Line
                  </th>
                  <th scope="col">In the file</th>
                  <th scope="col">Reason</th>
                </tr>
              </thead>
              <tbody>
                {findings.slice(0, SHOWN).map(({ line, given, zip, reason }) => (
                  <tr key={line}>
                    <td class="number">{formatCount(line)}</td>
                    <td>
                      {given || '(empty)'}
                      {zip !== null && zip !== given && ` → ${zip}`}
                    </td>
                    <td>{reason}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p>
            {attention > SHOWN && `${pluralize(attention - SHOWN, 'more row')}. `}
            {upload.moreFindings && `The file has the first ${formatCount(findings.length)}. `}
            <button type="button" class="quiet-button" onClick={() => download(name, upload)}>
              Download these rows as CSV
            </button>
          </p>
        </>
      )}
    </div>
  );
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** Unlike sums, amounts of rows aren’t rounded, so that people can compare them with the file. */
function exactAmount(unit: string, amount: number | null): string {
  if (amount === null) return '–';
  return (unit === 'dollars' ? dollars : numbers).format(amount);
}

/** The first rows: what the service read, next to the cells of the file */
function FirstRows({ upload: { firstRows, amounts, columns, dataSets } }: { upload: Upload }) {
  const placing = amounts.map(({ kind, column }) => {
    if (column === null) return { label: 'Rows', unit: 'count' };
    const set = dataSets.find((one) => one.kind === kind && one.column === column);
    return { label: `${kind === 'sum' ? 'Sum' : 'Mean'} of ${column}`, unit: set?.unit ?? 'count' };
  });
  const title = `The first ${pluralize(firstRows.length, 'row')} as read`;
  return (
    <>
      <h3>{title}</h3>
      <div class="scroll first-rows" role="region" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                Line
              </th>
              <th scope="col">ZIP code</th>
              {placing.map(({ label }) => (
                <th key={label} scope="col" class="number">
                  {label}
                </th>
              ))}
              {columns.map(({ number, name }) => (
                <th key={number} scope="col" class="in-file">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {firstRows.map(({ line, zip, outcome, reason, amounts: read, cells }) => (
              <tr key={line}>
                <td class="number">{formatCount(line)}</td>
                <td>
                  {zip ?? '–'}{' '}
                  {outcome !== 'placed' && (
                    <span class="tag" title={reason}>
                      {OUTCOME_WORDS[outcome]}
                    </span>
                  )}
                </td>
                {placing.map(({ label, unit }, i) => (
                  <td key={label} class="number">
                    {exactAmount(unit, read[i] ?? null)}
                  </td>
                ))}
                {columns.map(({ number }, i) => (
                  <td key={number} class="in-file">
                    {cells[i]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Bar({ counts, rows }: Pick<Upload, 'counts' | 'rows'>) {
  const shown = OUTCOMES.filter((outcome) => counts[outcome] > 0);
  return (
    <>
      <div class="outcomes" aria-hidden="true">
        {shown.map((outcome) => (
          <i
            key={outcome}
            class={outcome}
            style={{ flexGrow: String(Math.max(counts[outcome] / rows, 0.004)) }}
          />
        ))}
      </div>
      <ul class="outcome-list">
        {shown.map((outcome) => (
          <li key={outcome}>
            <i class={outcome} aria-hidden="true" />
            <b>{formatCount(counts[outcome])}</b> {OUTCOME_WORDS[outcome]}
          </li>
        ))}
      </ul>
    </>
  );
}

function download(name: string, { findings }: Upload): void {
  const rows = findings.map(({ line, given, zip, outcome, reason }) => [
    String(line),
    given,
    zip ?? '',
    OUTCOME_WORDS[outcome],
    reason,
  ]);
  saveAttention(name || 'data', [['line', 'given', 'zip', 'outcome', 'reason'], ...rows]);
}
