/** The page for people who want to buy a franchise: whether an area is available, and a form. */
import type { LocatorAvailability } from '../../../territories/serving/ask-locator.ts';
import {
  MAX_MESSAGE_LENGTH,
  type CandidateField,
  type CandidateForm,
} from '../../../territories/serving/locator-mail.ts';
import { SENTENCES } from '../../../territories/serving/locator-sentences.ts';
import { locatorPagePath } from '../../../territories/share/token.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import {
  addressOf,
  answerAttributes,
  askAddress,
  chosenFields,
  firstFocus,
  LOCATOR_PATH,
  locatorDocument,
  whereField,
  type LocatorContent,
  type LocatorLook,
} from './view.ts';

export const CANDIDATES_PATH = `${LOCATOR_PATH}/available`;

export interface CandidatesContent extends LocatorLook, Pick<LocatorContent, 'locator'> {
  /** Name of the organization */
  organization: string;
  where: string;
  answer: LocatorAvailability | null;
  problem: string | null;
  /** The rejected form to show again */
  form: CandidateForm | null;
  formProblems: Partial<Record<CandidateField | 'whole', string>>;
  isSent: boolean;
  /** Without email, there is no form */
  sendsMail: boolean;
}

export function candidatesPage(content: CandidatesContent, links: Links): string {
  const { language, where, answer, isSent } = content;
  const { heading, sentHeading } = SENTENCES[language].candidates;
  const body = html`${isSent ? thanks(content) : question(content, links)}
    <p class="more">
      <a href="${links.page(addressOf(content))}">${SENTENCES[language].candidates.customers}</a>
    </p>`;
  const title = isSent ? sentHeading : answer ? `${answer.message} · ${heading}` : heading;
  return locatorDocument(content, { title, body, path: '/available', where }, links);
}

function thanks(content: CandidatesContent): Html {
  const { language, organization } = content;
  const { sentHeading, sent } = SENTENCES[language].candidates;
  return html`<h1>${sentHeading}</h1>
    <p class="lead" role="status" tabindex="-1" ${firstFocus(content)}>${sent(organization)}</p>`;
}

function question(content: CandidatesContent, links: Links): Html {
  const { language, answer, form, sendsMail } = content;
  const { heading, label, button } = SENTENCES[language].candidates;
  const mayWrite = form !== null || (answer !== null && answer.availability !== 'unknown');
  return html`<h1>${heading}</h1>
    <form class="ask" action="${links.page(askAddress(content, '/available'))}">
      ${chosenFields(content)} ${whereField({ ...content, geocodes: false }, { label, button })}
    </form>
    ${answer && availability(content, answer)}
    ${mayWrite && sendsMail && candidateForm(content, links)}`;
}

function availability(
  content: CandidatesContent,
  { availability: status, message, demand }: LocatorAvailability,
): Html {
  const { candidates } = SENTENCES[content.language];
  return html`<section class="answer ${status}" ${answerAttributes(content)}>
    <p class="headline">${message}</p>
    ${demand !== null && html`<p class="demand ${demand}">${candidates.demand[demand]}</p>`}
  </section>`;
}

function candidateForm(content: CandidatesContent, links: Links): Html {
  const { token, language, organization, where, answer, form, formProblems } = content;
  const words = SENTENCES[language].candidates;
  const field = (
    name: CandidateField,
    label: string,
    control: (attributes: Html, value: string) => Html,
  ) => {
    const problem = formProblems[name];
    const attributes = html`id="${name}" name="${name}"
    ${problem !== undefined && html`aria-invalid="true" aria-describedby="${name}-problem"`}`;
    return html`<div class="field">
      <label for="${name}">${label}</label>
      ${control(attributes, form?.[name] ?? '')}
      ${problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>`}
    </div>`;
  };
  const optional = (label: string) => `${label} (${words.optional.toLowerCase()})`;
  return html`<section class="candidate" aria-labelledby="candidate-title">
    <h2 id="candidate-title">${words.formHeading}</h2>
    ${
      formProblems.whole !== undefined &&
      html`<p class="problem" role="alert" tabindex="-1" ${firstFocus(content)}>
        ${formProblems.whole}
      </p>`
    }
    <form method="post" action="${links.page(`${locatorPagePath(token)}/available`)}">
      ${chosenFields(content)}
      <input type="hidden" name="zip" value="${answer?.zip ?? where}" />
      ${field(
        'name',
        words.name,
        (attributes, value) =>
          html`<input
            ${attributes}
            value="${value}"
            autocomplete="name"
            maxlength="120"
            required
          />`,
      )}
      ${field(
        'email',
        words.email,
        (attributes, value) =>
          html`<input
            ${attributes}
            type="email"
            value="${value}"
            autocomplete="email"
            spellcheck="false"
            autocapitalize="none"
            maxlength="254"
            required
          />`,
      )}
      ${field(
        'phone',
        optional(words.phone),
        (attributes, value) =>
          html`<input
            ${attributes}
            type="tel"
            value="${value}"
            autocomplete="tel"
            maxlength="40"
          />`,
      )}
      ${field(
        'message',
        optional(words.message),
        (attributes, value) =>
          html`<textarea ${attributes} rows="4" maxlength="${MAX_MESSAGE_LENGTH}">
${value}</textarea>`,
      )}
      <p class="decoy" aria-hidden="true">
        <label>Website <input name="website" tabindex="-1" autocomplete="off" /></label>
      </p>
      <p class="quiet">${words.formHint(organization)}</p>
      <button class="button">${words.send}</button>
    </form>
  </section>`;
}
