/** What an import has found: what would be sent to review, and what would not, with the reasons. */
import type { Brand } from '../../../../../territory/brands.ts';
import type { Finding, Outcome, Place } from '../../../../../territory/import/finding.ts';
import type { ImportReport } from '../../../../../territory/import/import.ts';
import { count } from '../../../../format.ts';
import { html, type Html } from '../../../../html.ts';
import { records } from '../../../records.ts';

/** Where the report's forms lead. */
export interface ReportAddresses {
  send: string;
  report: string;
  again: string;
}

/** More are in the file */
const SHOWN = 200;

export function importReport(brand: Brand, report: ImportReport, to: ReportAddresses): Html {
  const { place, findings } = report;
  const notable = notableOf(report);
  return html`<p>${report.summary} <a href="${to.again}">Check something else</a></p>
    ${summary(findings)} ${sending(brand, report, to)}
    <section aria-labelledby="found">
      <h2 id="found">${notable.length > 0 ? 'What to look at' : 'All of it was understood'}</h2>
      ${notable.length > 0 && findingTable(place, notable.slice(0, SHOWN))}
      ${
        notable.length > SHOWN &&
        html`<p>
          The first ${SHOWN} of ${count(notable.length)} are shown; the file has them all.
        </p>`
      }
      <form method="post" enctype="multipart/form-data" action="${to.report}">
        <input type="hidden" name="report" value="${JSON.stringify({ place, findings })}" />
        <button class="quiet-button">Download the whole report (CSV)</button>
      </form>
    </section>`;
}

/** What needs a look first. Of areas it goes without saying that ZIPs lie in them. */
function notableOf({ place, findings }: ImportReport): Finding[] {
  return findings
    .filter(({ outcome, reason }) => outcome !== 'new' || (place === 'line' && reason !== null))
    .sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) || a.at - b.at);
}

const ORDER: readonly Outcome[] = [
  ...(['not_understood', 'unknown', 'guessed', 'new', 'held', 'repeated'] as const),
];

const LABELS: Readonly<Record<Outcome, string>> = {
  new: 'Understood',
  guessed: 'Guessed',
  held: 'Held already',
  unknown: 'Without an area',
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
      .map(
        ({ label, number }) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${count(number)}</dd>
          </div>`,
      )}
  </dl>`;
}

function sending(brand: Brand, { zips, guesses, shared }: ImportReport, to: ReportAddresses): Html {
  if (zips.length + guesses.length === 0) {
    return html`<section>
      <p>There is nothing to send: no ZIP code was found that ${brand.name} does not hold.</p>
    </section>`;
  }
  return html`<section aria-labelledby="send">
    <h2 id="send">Send to review</h2>
    <form method="post" action="${to.send}">
      ${
        zips.length > 0 &&
        html`<p>
            ${
              zips.length === 1
                ? '1 ZIP code waits for review then'
                : `${count(zips.length)} ZIP codes wait for review then`
            }:
            nothing is live before a reviewer decides.
          </p>
          ${codes('Show them', zips)}`
      }
      ${
        shared.length > 0 &&
        html`<p>Another brand holds ${count(shared.length)} of them too.</p>
          ${codes('Show those', shared)}`
      }
      <input type="hidden" name="zips" value="${zips.join(' ')}" />
      <input type="hidden" name="guesses" value="${guesses.join(' ')}" />
      ${
        guesses.length > 0 &&
        html`<label class="choice field">
          <input type="checkbox" name="guessed" value="yes" ${zips.length === 0 && html`checked`} />
          <span
            >Also ${guesses.length === 1 ? 'the one' : `the ${count(guesses.length)}`} guessed<span
              class="hint"
              >See below what was made of what.</span
            ></span
          >
        </label>`
      }
      <div class="field">
        <label for="note">Note</label>
        <p class="hint" id="note-hint">Why, for the reviewer. It may be left empty.</p>
        <input
          id="note"
          name="note"
          maxlength="500"
          aria-describedby="note-hint"
          autocomplete="off"
        />
      </div>
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
        cell: ({ at }) => html`<span class="place">${PLACE_LABELS[place]} </span>${count(at)}`,
      },
      { heading: 'Given', cell: ({ given }) => html`<code class="breakable">${given}</code>` },
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
