/** The report of an import: what will be sent to review, what won't, and why. */
import type { Brand } from '../../../../../territory/brands.ts';
import type { Finding, Outcome, Place } from '../../../../../territory/import/finding.ts';
import type { ImportReport } from '../../../../../territory/import/import.ts';
import { FormState } from '../../../../form-state.ts';
import { textField } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import { definition } from '../../../../parts.ts';
import { records } from '../../../records.ts';
import { formatCount, pluralize } from '../../../../../words.ts';

/** Addresses of the report's forms and link */
export interface ReportAddresses {
  send: string;
  report: string;
  again: string;
}

/** The CSV file has all findings. */
const SHOWN = 200;

export function importReport(brand: Brand, report: ImportReport, to: ReportAddresses): Html {
  const { place, findings } = report;
  const notable = notableOf(report);
  return html`<p>${report.summary} <a href="${to.again}">Check another file</a></p>
    ${summary(findings)} ${sendForm(brand, report, to)}
    <section aria-labelledby="found">
      <h2 id="found">${notable.length > 0 ? 'Needs attention' : 'Everything was understood'}</h2>
      ${notable.length > 0 && findingTable(place, notable.slice(0, SHOWN))}
      ${
        notable.length > SHOWN &&
        html`<p>
          Showing the first ${SHOWN} of ${formatCount(notable.length)}. The CSV file has all of
          them.
        </p>`
      }
      <form method="post" enctype="multipart/form-data" action="${to.report}">
        <input type="hidden" name="report" value="${JSON.stringify({ place, findings })}" />
        <button class="quiet-button">Download full report (CSV)</button>
      </form>
    </section>`;
}

/** Findings that need attention first. For an area, a new ZIP code needs no explanation. */
function notableOf({ place, findings }: ImportReport): Finding[] {
  return findings
    .filter(({ outcome, reason }) => outcome !== 'new' || (place === 'line' && reason !== null))
    .sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) || a.at - b.at);
}

const ORDER: readonly Outcome[] = [
  'not_understood',
  'unknown',
  'guessed',
  'new',
  'held',
  'repeated',
];

const LABELS: Readonly<Record<Outcome, string>> = {
  new: 'Understood',
  guessed: 'Guessed',
  held: 'Already held',
  unknown: 'Without a boundary',
  repeated: 'Repeated',
  not_understood: 'Not understood',
};

function summary(findings: readonly Finding[]): Html {
  const figures = (Object.keys(LABELS) as Outcome[]).map((outcome) => ({
    label: LABELS[outcome],
    number: findings.filter((finding) => finding.outcome === outcome).length,
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
  { zips, guesses, shared }: ImportReport,
  to: ReportAddresses,
): Html {
  if (zips.length + guesses.length === 0) {
    return html`<section>
      <p>Nothing to send: ${brand.name} already holds every ZIP code found.</p>
    </section>`;
  }
  return html`<section aria-labelledby="send">
    <h2 id="send">Send to review</h2>
    <form method="post" action="${to.send}">
      ${
        zips.length > 0 &&
        html`<p>
            ${pluralize(zips.length, 'ZIP code')} will be sent to review. They become live once a
            reviewer approves them.
          </p>
          ${codes('Show ZIP codes', zips)}`
      }
      ${
        shared.length > 0 &&
        html`<p>Another brand also holds ${formatCount(shared.length)} of them.</p>
          ${codes('Show shared ZIP codes', shared)}`
      }
      <input type="hidden" name="zips" value="${zips.join(' ')}" />
      <input type="hidden" name="guesses" value="${guesses.join(' ')}" />
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
        FormState.EMPTY,
      )}
      <button class="button">Send to review</button>
    </form>
  </section>`;
}

function codes(label: string, zips: readonly string[]): Html {
  return html`<details>
    <summary>${label}</summary>
    <p class="codes">${zips.join(' ')}</p>
  </details>`;
}

const PLACE_LABELS: Readonly<Record<Place, string>> = { line: 'Line', feature: 'Feature' };

function findingTable(place: Place, findings: readonly Finding[]): Html {
  return records(
    'Findings',
    [
      {
        heading: PLACE_LABELS[place],
        cell: ({ at }) =>
          html`<span class="place">${PLACE_LABELS[place]} </span>${formatCount(at)}`,
      },
      { heading: 'Entry', cell: ({ given }) => html`<code class="breakable">${given}</code>` },
      { heading: 'ZIP code', cell: ({ zip }) => zip ?? '–' },
      {
        heading: 'Outcome',
        cell: ({ outcome }) => html`<span class="outcome ${outcome}">${LABELS[outcome]}</span>`,
      },
      { heading: 'Why', cell: ({ reason }) => reason },
    ],
    findings,
  );
}
