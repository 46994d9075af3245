/** The list of API keys, a new key (shown once), and the form that creates one. */
import type { KeyRecord } from '../../../../people/account/keys.ts';
import type { Brand } from '../../../../territories/brands/brands.ts';
import type { FormState } from '../../form-state.ts';
import { checkedName } from '../../../../people/account/names.ts';
import { buttonForm, copyable, wholeProblem } from '../../forms.ts';
import { brandsOrAll, formOf, oneChoice, text } from '../../framework/fields.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import type { AccountContent } from '../frame.ts';
import { dayTag } from '../../parts.ts';
import { records } from '../../records.ts';

export interface KeysContent {
  organization: { name: string };
  form: FormState;
  keys: readonly KeyRecord[];
  brands: readonly Brand[];
  /** Whether the viewer may create and revoke keys */
  mayManage: boolean;
  /** The key that was just created. It can't be shown again. */
  created: { key: string; name: string } | undefined;
}

export const KEYS_PATH = '/account/keys';
/** Maximum number of keys on the page. Operators can list all of them. */
export const SHOWN_KEYS = 200;
export const REVOKE_KEY_PATH = '/account/keys/revoke';

export function keysPage(content: KeysContent, links: Links): AccountContent {
  const { organization, form, keys, mayManage, created } = content;
  const main = html`<p>
      Programs and AI agents use API keys to act for ${organization.name}. Send a key as
      <code>Authorization: Bearer svc_live_…</code>. See the
      <a href="${links.page('/docs')}">documentation</a>.
    </p>
    ${wholeProblem(form)} ${created && newKey(created, links)}
    ${keys.length > 0 ? keyTable(content, links) : mayManage && html`<p class="quiet">No API keys yet.</p>`}
    ${keys.length === SHOWN_KEYS && html`<p class="quiet">Older keys aren’t shown. An operator can list them with <code>territory-admin key list</code>.</p>`}
    ${mayManage ? createForm(content, links) : html`<p class="quiet">Owners and admins with all brands manage API keys.</p>`}`;
  return { path: KEYS_PATH, main };
}

function newKey({ key, name }: { key: string; name: string }, links: Links): Html {
  const url = links.absoluteApi('/agent/capabilities');
  const curl = `curl ${url} \\\n-H 'Authorization: Bearer ${key}'`;
  return html`<section class="shown-once" aria-label="New API key">
    <h2>API key “${name}”</h2>
    <p>Save this key now. It won’t be shown again.</p>
    ${copyable('new-key', 'API key', key)}
    <details>
      <summary>Try it</summary>
      <pre tabindex="0"><code>${curl}</code></pre>
    </details>
  </section>`;
}

function keyTable({ keys, brands: known, mayManage }: KeysContent, links: Links): Html {
  const names = new Map(known.map(({ slug, name }) => [slug, name]));
  const revokeCell = ({ id, name, revokedAt }: KeyRecord) => {
    if (revokedAt) return html`<span class="quiet">Revoked ${dayTag(revokedAt)}</span>`;
    const button = { label: 'Revoke', about: name };
    return mayManage && buttonForm(links.page(REVOKE_KEY_PATH), { key: id }, button);
  };
  return records(
    'API keys',
    [
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'Ends with', cell: ({ hint }) => html`<code>…${hint}</code>` },
      {
        heading: 'Brands',
        cell: ({ brands }) =>
          brands === 'all' ? 'All' : brands.map((slug) => names.get(slug) ?? slug).join(', '),
      },
      { heading: 'Access', cell: ({ mayWrite }) => (mayWrite ? 'Read and write' : 'Read only') },
      { heading: 'Created', cell: creation },
      {
        heading: 'Last used',
        cell: ({ lastUsedAt }) => (lastUsedAt ? dayTag(lastUsedAt) : 'Never'),
      },
      { heading: 'Revoke', hidden: true, cell: revokeCell },
    ],
    keys,
  );
}

const creation = ({ createdAt, createdBy }: KeyRecord): Html =>
  html`<span
    >${dayTag(createdAt)}${createdBy && html` <span class="quiet">by ${createdBy}</span>`}</span
  >`;

const createForm = ({ form, brands }: KeysContent, links: Links): Html =>
  html`<section>
    <h2>Create an API key</h2>
    <form method="post" action="${links.page(KEYS_PATH)}">
      ${KEY.html(form.of(KEYS_PATH), { brands })}
      <button class="button">Create key</button>
    </form>
  </section>`;

export const KEY = formOf({
  name: text(
    {
      name: 'name',
      label: 'Name',
      hint: 'The program that will use it, such as “CRM import”.',
      maxlength: 120,
    },
    (name) => checkedName('A key', name),
  ),
  access: oneChoice({ name: 'access', legend: 'Access', value: 'read' }, [
    { value: 'read', label: 'Read only' },
    {
      value: 'write',
      label: 'Read and write',
      hint: 'Request and remove ZIP codes, and share maps. Each change needs confirmation.',
    },
  ]),
  brands: brandsOrAll({ hint: 'Including future brands', legend: 'Brands with access' }),
});
