/** What a person reads before a connector acts for them, and the two ways to answer. */
import type { Caller } from '../../account/caller.ts';
import type { ConsentRequest } from '../../oauth/authorization.ts';
import { entrancePage } from '../account/frame.ts';
import type { FormState } from '../form-state.ts';
import { wholeProblem } from '../forms.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { SITE_NAME } from '../layout.ts';
import type { Links } from '../links.ts';

export interface ConsentContent {
  /** Of this page, from the site's root */
  path: string;
  request: ConsentRequest;
  person: { name: string; email: string };
  /** Acting for the organisation that is proposed */
  caller: Caller;
  /** All that the person belongs to */
  organizations: readonly { id: string; name: string }[];
  form: FormState;
}

export function consentPage(content: ConsentContent, links: Links): string {
  const { path, request, person, form } = content;
  const { client, redirectTo, mayWrite } = request;
  const signIn = `${links.page('/login')}?${new URLSearchParams({ next: path })}`;
  const main = html`<div class="consent">
    <p><strong>${client.name}</strong> asks to act for you in ${SITE_NAME}.</p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page(path)}">
      <dl class="facts">
        ${fact('App', html`${client.name} <span class="quiet">${origin(client)}</span>`)}
        ${fact('You are', html`${person.name} <span class="quiet">${person.email}</span>`)}
        ${fact('Works for', organizationChoice(content))} ${fact('Leads back to', redirectTo)}
      </dl>
      <h2>It will be able to</h2>
      <ul class="may">
        ${may('Read', 'brands, territories, scores, maps, share links and activity')}
        ${
          mayWrite &&
          may(
            'Change',
            'ask for ZIPs, which wait for a review; remove ZIPs, which can be undone; make and revoke share links',
          )
        }
        ${may('Spend', 'the organisation’s monthly units')}
      </ul>
      <p class="quiet">It cannot decide reviews, manage people or keys, or learn your password.</p>
      ${mayWrite ? hindrance(content.caller) : html`<p>It will change nothing.</p>`}
      ${
        client.host === null &&
        html`<p class="notice">
          Any app can call itself ${client.name}. Allow it only if you began this yourself, just
          now.
        </p>`
      }
      <div class="answers">
        <button class="button" name="decision" value="allow">Allow</button>
        <button class="quiet-button" name="decision" value="deny">Cancel</button>
      </div>
    </form>
    <p class="quiet">
      You can end this at any time: in your account, under Connections. Not you?
      <a href="${signIn}">Sign in as somebody else</a>.
    </p>
  </div>`;
  const title = `Connect ${client.name}`;
  return entrancePage({ title, assets: ['oauth/consent.css'], main }, links);
}

const fact = (term: string, told: HtmlValue): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${told}</dd>
  </div>`;

const may = (verb: string, what: string): Html =>
  html`<li><strong>${verb}</strong> <span>${what}</span></li>`;

const origin = ({ host }: ConsentRequest['client']) =>
  host === null ? 'Registered itself; not verified' : `Described at ${host}`;

function organizationChoice({ organizations, caller }: ConsentContent): Html {
  const { id, name } = caller.organization;
  if (organizations.length < 2) {
    return html`${name}<input type="hidden" name="organization" value="${id}" />`;
  }
  return html`<div class="field">
    <select name="organization" aria-label="Organisation that it works for">
      ${organizations.map(
        (one) =>
          html`<option value="${one.id}" ${one.id === id && html`selected`}>${one.name}</option>`,
      )}
    </select>
  </div>`;
}

/** It never does more than the person may, who is told so where that is less than it asks for. */
function hindrance({ plan, mayWrite, organization }: Caller): Html | null {
  if (plan.writeEntitlement && mayWrite) return null;
  const why = plan.writeEntitlement
    ? `you may only read in ${organization.name}. An owner or admin can change that.`
    : `the plan of ${organization.name} includes no changes.`;
  return html`<p class="notice">For now it can only read: ${why}</p>`;
}
