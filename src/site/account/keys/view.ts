/** API keys: minted, shown once, told apart by their hints, revoked. */
import type { KeyRecord } from '../../../account/keys.ts';
import type { Brand } from '../../../territory/brands.ts';
import { day } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { buttonForm, choices, copyable, textField, wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { accountPage, type Resident } from '../frame.ts';
import { records } from '../records.ts';

export interface KeysContent {
  resident: Resident;
  done: string | null;
  form: FormState;
  keys: readonly KeyRecord[];
  brands: readonly Brand[];
  /** Whether this person mints and revokes keys */
  mayManage: boolean;
  /** Just now: it is never seen again */
  minted?: { key: string; name: string };
}

export const REVOKE_KEY_PATH = '/account/keys/revoke';

export function keysPage(content: KeysContent, links: Links): string {
  const { resident, done, form, keys, mayManage, minted } = content;
  const main = html`<p>
      With a key, programs and AI agents act for ${resident.organization.name}: send it as
      <code>Authorization: Bearer svc_live_…</code>. See the
      <a href="${links.page('/docs')}">documentation</a>.
    </p>
    ${wholeProblem(form)} ${minted && shownOnce(minted, links)}
    ${keys.length > 0 ? keyTable(content, links) : html`<p class="quiet">There are no keys yet.</p>`}
    ${mayManage ? mintForm(content, links) : html`<p class="quiet">Owners and admins mint keys.</p>`}`;
  return accountPage({ path: '/account/keys', done, resident, main }, links);
}

function shownOnce({ key, name }: { key: string; name: string }, links: Links): Html {
  const url = links.absoluteApi('/agent/capabilities');
  const curl = `curl ${url} \\\n-H 'Authorization: Bearer ${key}'`;
  return html`<section class="shown-once" aria-label="The new key">
    <h2>The key “${name}”</h2>
    <p>Keep it now: it is shown this once only.</p>
    ${copyable('new-key', 'API key', key)}
    <details>
      <summary>Try it</summary>
      <pre tabindex="0"><code>${curl}</code></pre>
    </details>
  </section>`;
}

function keyTable({ keys, mayManage }: KeysContent, links: Links): Html {
  const revoking = ({ id, name, revokedAt }: KeyRecord) => {
    if (revokedAt) return html`<span class="quiet">Revoked ${day(revokedAt)}</span>`;
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
        cell: ({ brands }) => (brands === 'all' ? 'All' : brands.join(', ')),
      },
      { heading: 'May', cell: ({ mayWrite }) => (mayWrite ? 'Read and write' : 'Read') },
      { heading: 'Minted', cell: minting },
      {
        heading: 'Last used',
        cell: ({ lastUsedAt }) => (lastUsedAt ? day(lastUsedAt) : 'Never'),
      },
      { heading: 'Revoke', hidden: true, cell: revoking },
    ],
    keys,
  );
}

const minting = ({ createdAt, createdBy }: KeyRecord): Html =>
  html`<span
    >${day(createdAt)}${createdBy && html` <span class="quiet">by ${createdBy}</span>`}</span
  >`;

function mintForm({ form, brands }: KeysContent, links: Links): Html {
  const state = form.of('/account/keys');
  return html`<section>
    <h2>Mint a key</h2>
    <form method="post" action="${links.page('/account/keys')}">
      ${textField(
        {
          name: 'name',
          label: 'Name',
          hint: 'What will use it, such as “CRM import”.',
          maxlength: 120,
          autocomplete: 'off',
        },
        state,
      )}
      ${choices(
        { type: 'radio', name: 'access', legend: 'It may', value: 'read' },
        [
          { value: 'read', label: 'Read' },
          {
            value: 'write',
            label: 'Read and write',
            hint: 'Ask for ZIPs, remove them, and share maps, each with a confirmation.',
          },
        ],
        state,
      )}
      ${choices(
        { type: 'radio', name: 'scope', legend: 'Brands', value: 'all' },
        [
          { value: 'all', label: 'All brands', hint: 'Also those to come' },
          ...(brands.length > 0 ? [{ value: 'some', label: 'Only those chosen here' }] : []),
        ],
        state,
      )}
      ${
        brands.length > 0 &&
        choices(
          { type: 'checkbox', name: 'brand', legend: 'Chosen brands' },
          brands.map(({ id, name }) => ({ value: id, label: name })),
          state,
        )
      }
      <button class="button">Mint the key</button>
    </form>
  </section>`;
}
