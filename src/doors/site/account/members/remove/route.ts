/** Removes a member, after asking what to do with the API keys that they created. */
import { MANAGERS } from '../../../../../people/account/access.ts';
import { activeKeysOf } from '../../../../../people/account/keys.ts';
import {
  listMembers,
  removeMember,
  type KeyDecision,
} from '../../../../../people/account/members.ts';
import { FormState } from '../../../form-state.ts';
import { checkedFields, oneOf } from '../../../framework/form-problems.ts';
import type { Page } from '../../../framework/page.ts';
import type { MemberVisit } from '../../../framework/visit.ts';
import type { AccountContent } from '../../frame.ts';
import { manageableMember } from '../manageable-member.ts';
import { MEMBER_FORMS, MEMBERS_PATH } from '../view.ts';
import { removePage } from './view.ts';

async function show(
  { caller, query, links }: MemberVisit,
  form: FormState,
  email = form.value('email', query.get('email') ?? ''),
): Promise<AccountContent> {
  const { tenant, actor } = caller;
  const member = await manageableMember(caller, email);
  const [keys, members] = await Promise.all([activeKeysOf(tenant, member.id), listMembers(tenant)]);
  const keepers = members.filter(
    ({ id, role, brandIds }) => id !== member.id && MANAGERS.includes(role) && brandIds === null,
  );
  return removePage({ form, member, keys, keepers, viewerId: actor.id! }, links);
}

export const removeMemberRoute: Page<'account'> = {
  audience: 'account',
  path: MEMBER_FORMS.remove,
  show,
  forms: [
    {
      asksPassword: true,
      async submit(visit, fields) {
        const { tenant } = visit.caller;
        const { id, email } = await manageableMember(visit.caller, fields.get('email'));
        const keys = await activeKeysOf(tenant, id);
        if (keys.length > 0 && !fields.has('keys')) {
          return { page: await show(visit, FormState.EMPTY, email) };
        }
        await removeMember(
          tenant,
          email,
          keys.length > 0 ? readDecision(fields) : undefined,
          visit.caller.actor,
        );
        return { to: MEMBERS_PATH, notice: 'member-removed' };
      },
    },
  ],
};

function readDecision(fields: URLSearchParams): KeyDecision {
  const { keys } = checkedFields({ keys: () => oneOf(['revoke', 'keep'], fields.get('keys')) });
  return keys === 'revoke' ? 'revoke' : { keeper: fields.get('keeper') ?? '' };
}
