/** The report of an import: the ZIP codes that will be sent to review, and why others won't. */
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import type { Finding, Outcome, EntryKind } from '../../../../../../base/lists/finding.ts';
import type { ImportSummary } from '../../../../../../territories/brands/import/report.ts';
import type { FormState } from '../../../../form-state.ts';
import { menuOptions, textField } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import { definition } from '../../../../parts.ts';
import { records } from '../../../../records.ts';
import { formatCount, pluralize } from '../../../../../../base/text/words.ts';

/** Addresses of the report's form and links */
interface ReportAddresses {
  send: string;
  /** Checks the file again, with another sheet or column */
  choice: string;
  csv: string;
  again: string;
}

/** With whether its ZIP codes need no review, because the viewer is an owner */
type ReportSummary = ImportSummary & { goesLive: boolean };

export function importReport(
  brand: Brand,
  form: FormState,
  report: ReportSummary,
  to: ReportAddresses,
): Html {
  const { place, counts, notable, notableCount } = report;
  const settled = notable.filter(({ outcome }) => SETTLED.has(outcome));
  const open = notable.filter(({ outcome }) => !SETTLED.has(outcome));
  return html`<p>${report.summary}</p>
    ${choiceForm(report, to.choice)}
    <p><a href="${to.again}">Check another file</a></p>
    ${summary(counts)} ${sendForm(brand, form, report, to)}
    <section aria-labelledby="found">
      <h2 id="found">${open.length > 0 ? 'Needs attention' : 'Everything was understood'}</h2>
      ${open.length > 0 && findingTable(place, open)}
      ${
        settled.length > 0 &&
        html`<details>
          <summary>${pluralize(settled.length, 'ZIP code')} already held or repeated</summary>
          ${findingTable(place, settled)}
        </details>`
      }
      ${
        notableCount > notable.length &&
        html`<p>
          Showing the first ${notable.length} of ${formatCount(notableCount)}. The CSV file has all
          of them.
        </p>`
      }
      <p>
        <a class="quiet-button" href="${to.csv}" download>Download full report (CSV)</a>
        The report is kept for a day.
      </p>
    </section>`;
}

/** Chooses among the sheets of a workbook, and among several columns with ZIP codes, such as those of two addresses. */
function choiceForm({ sheets = [], columns = [] }: ImportSummary, address: string): Html | false {
  const menu = (name: string, label: string, options: { value: string; label: string }[]) =>
    options.length > 0 &&
    html`<div class="field">
      <label for="${name}">${label}</label>
      <select id="${name}" name="${name}">
        ${menuOptions(options, options[0]!.value)}
      </select>
    </div>`;
  const ofSheets = sheets.map((name) => ({ value: name, label: name }));
  const ofColumns = columns.map(({ number, name }) => ({ value: String(number), label: name }));
  return (
    sheets.length + columns.length > 0 &&
    html`<form method="post" action="${address}" class="file-choice">
      ${menu('sheet', 'Sheet', ofSheets)} ${menu('column', 'Column with the ZIP codes', ofColumns)}
      <button class="quiet-button">Check again</button>
    </form>`
  );
}

/** Outcomes that need no action. */
const SETTLED: ReadonlySet<Outcome> = new Set(['held', 'repeated']);

const LABELS: Readonly<Record<Outcome, string>> = {
  new: 'New',
  guessed: 'Guessed',
  held: 'Already held',
  unknown: 'Can’t be added',
  repeated: 'Repeated',
  not_understood: 'Not understood',
};

function summary(counts: ImportSummary['counts']): Html {
  const figures = (Object.keys(LABELS) as Outcome[]).map((outcome) => ({
    label: LABELS[outcome],
    number: counts[outcome] ?? 0,
    always: outcome === 'new' || outcome === 'not_understood',
  }));
  return html`<dl class="figures">
    ${figures
      .filter(({ number, always }) => always || number > 0)
      .map(({ label, number }) => definition(label, formatCount(number)))}
  </dl>`;
}

function sendForm(
  brand: Brand,
  form: FormState,
  { zips, guesses, shared, counts, goesLive }: ReportSummary,
  to: ReportAddresses,
): Html {
  if (zips.length + guesses.length === 0) {
    return html`<section>
      <p>
        ${
          counts.held
            ? html`Nothing to send: ${brand.name} already holds every ZIP code found.`
            : 'Nothing to send: no ZIP code with a boundary was found. Correct the file and check it again.'
        }
      </p>
    </section>`;
  }
  return html`<section aria-labelledby="send">
    <h2 id="send">${goesLive ? 'Add' : 'Send to review'}</h2>
    <form method="post" action="${to.send}">
      ${
        zips.length > 0 &&
        html`<p>
            ${
              goesLive
                ? `${pluralize(zips.length, 'ZIP code')} will go live at once, because owners need no review.`
                : `${pluralize(zips.length, 'ZIP code')} will be sent to review, and ${zips.length === 1 ? 'becomes' : 'become'} live once a reviewer approves ${zips.length === 1 ? 'it' : 'them'}.`
            }
          </p>
          ${codes('Show ZIP codes', zips)}`
      }
      ${
        shared.length > 0 &&
        html`<p>Other brands also hold ${formatCount(shared.length)} of the ZIP codes found.</p>
          ${codes('Show shared ZIP codes', shared)}`
      }
      ${
        guesses.length > 0 &&
        html`<label class="choice field">
          <input type="checkbox" name="guessed" value="yes" ${zips.length === 0 && html`checked`} />
          <span
            >Include ${pluralize(guesses.length, 'guessed ZIP code')}<span class="hint"
              >The list below shows each guess.</span
            ></span
          >
        </label>`
      }
      ${textField(
        {
          name: 'note',
          label: 'Note',
          hint: 'Optional, for the reviewer.',
          maxlength: 500,
          autocomplete: 'off',
          optional: true,
        },
        form,
      )}
      <button class="button">${goesLive ? 'Add' : 'Send to review'}</button>
    </form>
  </section>`;
}

function codes(label: string, zips: readonly string[]): Html {
  return html`<details>
    <summary>${label}</summary>
    <p class="codes">${zips.join(' ')}</p>
  </details>`;
}

const PLACE_LABELS: Readonly<Record<EntryKind, string>> = {
  line: 'Line',
  row: 'Row',
  feature: 'Feature',
};

function findingTable(place: EntryKind, findings: readonly Finding[]): Html {
  return records(
    'Findings',
    [
      {
        heading: PLACE_LABELS[place],
        cell: ({ at }) =>
          html`<span class="place">${PLACE_LABELS[place]} </span>${formatCount(at)}`,
      },
      {
        heading: 'Entry',
        cell: ({ given }) => (given ? html`<code class="breakable">${given}</code>` : '–'),
      },
      { heading: 'ZIP code', cell: zipCell },
      {
        heading: 'Outcome',
        cell: ({ outcome }) => html`<span class="outcome ${outcome}">${LABELS[outcome]}</span>`,
      },
      { heading: 'Why', cell: ({ reason }) => reason },
    ],
    groupRanges(findings),
  );
}

/** Findings of one entry, such as a prefix, with the same outcome and reason */
interface FindingGroup extends Omit<Finding, 'zip'> {
  zips: string[];
}

function groupRanges(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const { zip, ...finding } of findings) {
    const key = JSON.stringify(finding);
    const group = groups.get(key) ?? { ...finding, zips: [] };
    if (zip !== null) group.zips.push(zip);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const zipCell = ({ zips }: FindingGroup) =>
  zips.length <= 1 ? (zips[0] ?? '–') : codes(pluralize(zips.length, 'ZIP code'), zips);
