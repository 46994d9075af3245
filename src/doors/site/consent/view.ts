/** The page on which a person allows or denies a connector. */
import type { Caller } from '../../../people/account/caller.ts';
import type { ConsentRequest } from '../../../people/oauth/authorization.ts';
import { entrancePage } from '../entrance/frame.ts';
import type { FormState } from '../form-state.ts';
import { menuOptions, wholeProblem } from '../forms.ts';
import { html, type Html } from '../html.ts';
import { SERVICE_NAME } from '../../../base/text/service-name.ts';
import type { Links } from '../links.ts';
import { definition } from '../parts.ts';

interface ConsentContent {
  /** The page's own path, from the site's root */
  path: string;
  request: ConsentRequest;
  person: { name: string; email: string };
  /** The caller in the organization that is preselected */
  caller: Caller;
  /** All organizations that the person belongs to */
  organizations: readonly { id: string; name: string }[];
  form: FormState;
}

export function consentPage(content: ConsentContent, links: Links): string {
  const { path, request, person, form } = content;
  const { client, redirectTo, mayWrite, wholeApi } = request;
  const signIn = `${links.page('/login')}?${new URLSearchParams({ next: path })}`;
  const main = html`<div class="consent">
    <p><strong>${client.name}</strong> wants to act for you in ${SERVICE_NAME}.</p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page(path)}">
      <dl class="facts">
        ${definition('App', html`${client.name} <span class="quiet">${origin(client)}</span>`)}
        ${definition('You', html`${person.name} <span class="quiet">${person.email}</span>`)}
        ${definition('Organization', organizationChoice(content))}
        ${definition('Access to', accessTo(wholeApi))} ${definition('Redirects to', redirectTo)}
      </dl>
      <h2>It will be able to</h2>
      <ul class="may">
        ${may(
          'Read',
          `brands, territories, ${wholeApi ? 'plans, ' : ''}scores, maps, share links, and activity`,
        )}
        ${
          mayWrite &&
          may(
            'Change',
            'territories: request ZIP codes (a person reviews them), remove ZIP codes (can be undone), and create or revoke share links',
          )
        }
        ${mayWrite && wholeApi && may('Edit', 'plans: create, change, apply, and delete them')}
        ${may('Use', 'the organization’s monthly units')}
      </ul>
      <p class="quiet">
        It can’t decide reviews, manage members or API keys, or see your password.
      </p>
      ${mayWrite ? readOnlyNotice(content.caller) : html`<p>It can’t change anything.</p>`}
      ${
        client.host === null &&
        html`<p class="notice">
          Any app can call itself ${client.name}. Allow it only if you started this connection
          yourself just now.
        </p>`
      }
      <div class="answers">
        <button class="button" name="decision" value="allow">Allow</button>
        <button class="quiet-button" name="decision" value="deny">Cancel</button>
      </div>
    </form>
    <p class="quiet">
      You can disconnect it at any time in your account under Connections. Not you?
      <a href="${signIn}">Sign in as someone else</a>.
    </p>
  </div>`;
  const title = `Connect ${client.name}`;
  return entrancePage({ title, assets: ['consent/style.css'], main }, links);
}

const may = (verb: string, what: string): Html =>
  html`<li><strong>${verb}</strong> <span>${what}</span></li>`;

const origin = ({ host }: ConsentRequest['client']) =>
  host === null ? 'Registered itself, not verified' : `Described at ${host}`;

const accessTo = (wholeApi: boolean): Html =>
  wholeApi
    ? html`The whole API <span class="quiet">As the command line and other programs use it</span>`
    : html`The tools for AI apps
        <span class="quiet">The MCP endpoint, and no other part of the API</span>`;

function organizationChoice({ organizations, caller }: ConsentContent): Html {
  const { id, name } = caller.organization;
  if (organizations.length < 2) {
    return html`${name}<input type="hidden" name="organization" value="${id}" />`;
  }
  return html`<div class="field">
    <select name="organization" aria-label="Organization">
      ${menuOptions(
        organizations.map((one) => ({ value: one.id, label: one.name })),
        id,
      )}
    </select>
  </div>`;
}

/** A connector can't do more than the person. Points this out if it requests more than that. */
function readOnlyNotice({ subscription, mayWrite, organization }: Caller): Html | null {
  if (subscription.writeEntitlement && mayWrite) return null;
  const why = subscription.writeEntitlement
    ? `you have read-only access to ${organization.name}. An owner or admin can change that.`
    : `${organization.name}’s subscription doesn’t include changes.`;
  return html`<p class="notice">For now, the app has read-only access, because ${why}</p>`;
}
