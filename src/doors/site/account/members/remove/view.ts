import type { KeyRecord } from '../../../../../people/account/keys.ts';
import type { Member } from '../../../../../people/account/members.ts';
import { pluralize } from '../../../../../base/text/words.ts';
import type { FormState } from '../../../form-state.ts';
import { choices, selectField, wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import type { AccountContent } from '../../frame.ts';
import { dayTag } from '../../../parts.ts';
import { records } from '../../../records.ts';
import { MEMBER_FORMS, MEMBERS_PATH } from '../view.ts';

interface RemovalContent {
  form: FormState;
  member: Member;
  /** The member's active keys */
  keys: readonly KeyRecord[];
  /** Members who can take over these keys */
  keepers: readonly Member[];
  viewerId: string;
}

export function removePage(content: RemovalContent, links: Links): AccountContent {
  const { form, member, keys, viewerId } = content;
  const { id, name, email } = member;
  const isSelf = id === viewerId;
  const main = html`${wholeProblem(form)}
    <p>
      ${isSelf ? 'You lose' : html`${name} (${email}) loses`} access to the organization
      immediately, including through connected apps.
    </p>
    <form method="post" action="${links.page(MEMBER_FORMS.remove)}">
      <input type="hidden" name="email" value="${email}" />
      ${keys.length > 0 && keyQuestion(content)}
      <button class="button">${isSelf ? 'Leave the organization' : 'Remove the member'}</button>
    </form>
    <p class="actions"><a href="${links.page(MEMBERS_PATH)}">Cancel</a></p>`;
  const title = isSelf ? 'Leave the organization' : `Remove ${name}`;
  return { path: MEMBERS_PATH, title, main };
}

function keyQuestion({ form, member, keys, keepers, viewerId }: RemovalContent): Html {
  const who = member.id === viewerId ? 'You' : member.name;
  return html`<p>
      ${who} created ${pluralize(keys.length, 'API key')} that still
      ${keys.length === 1 ? 'works' : 'work'} and may know ${keys.length === 1 ? 'it' : 'them'}.
    </p>
    ${records(
      'API keys',
      [
        { heading: 'Name', cell: ({ name }) => name },
        { heading: 'Ends with', cell: ({ hint }) => html`<code>…${hint}</code>` },
        { heading: 'Access', cell: ({ mayWrite }) => (mayWrite ? 'Read and write' : 'Read only') },
        {
          heading: 'Last used',
          cell: ({ lastUsedAt }) => (lastUsedAt ? dayTag(lastUsedAt) : 'Never'),
        },
      ],
      keys,
    )}
    ${choices(
      { type: 'radio', name: 'keys', legend: 'What happens to the keys', value: 'revoke' },
      [
        { value: 'revoke', label: 'Revoke them', hint: 'Programs that use them stop working.' },
        ...(keepers.length > 0
          ? [
              {
                value: 'keep',
                label: 'Keep them',
                hint: 'They work as before, under the name of another owner or admin.',
              },
            ]
          : []),
      ],
      form,
    )}
    ${
      keepers.length > 0 &&
      selectField(
        {
          name: 'keeper',
          label: 'Keep them under the name of',
          value: (keepers.find(({ id }) => id === viewerId) ?? keepers[0]!).email,
        },
        keepers.map(({ name, email }) => ({ value: email, label: `${name} (${email})` })),
        form,
      )
    }`;
}
