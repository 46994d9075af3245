/** What the service made of a file: the data sets, every row by outcome, and the rows that need attention. */
import { formatAmount } from '../../../../own-data/amount-text.ts';
import { formatCount, pluralize } from '../../../../text/words.ts';
import { OUTCOMES } from '../../../../own-data/import/types.ts';
import { OUTCOME_WORDS } from '../../../../own-data/outcome-words.ts';
import type { Upload } from './send-file.ts';

/** Findings that the page lists. The file has up to 10,000. */
const SHOWN = 20;

export function Report({ upload, name }: { upload: Upload; name: string }) {
  const { dataSets, findings, rows, counts } = upload;
  const attention = rows - counts.placed;
  return (
    <div class="result">
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

/** Saves the findings as a file. They exist only in this page, because the service doesn't store them. */
function download(name: string, { findings }: Upload): void {
  const rows = findings.map(({ line, given, zip, outcome, reason }) => [
    ...[String(line), given, zip ?? '', OUTCOME_WORDS[outcome], reason],
  ]);
  const lines = [['line', 'given', 'zip', 'outcome', 'reason'], ...rows].map((cells) =>
    cells.map(quoted).join(),
  );
  const text = `\u{FEFF}${lines.join('\r\n')}\r\n`;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = `${name || 'data'} attention.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A cell of a CSV file (RFC 4180). Spreadsheets must not run a formula from someone's file. */
const quoted = (text: string) => `"${text.replace(/^[=+\-@\t\r\n]/, "'$&").replaceAll('"', '""')}"`;
