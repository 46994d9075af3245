/** The members of the organization, its open invitations, and the form for inviting someone. */
import type { Role } from '../../../../people/account/caller.ts';
import {
  INVITATION_DAYS,
  invitationPath,
  type Invitation,
} from '../../../../people/account/invitations.ts';
import type { Member } from '../../../../people/account/members.ts';
import type { Brand } from '../../../../territories/brands/brands.ts';
import { EMAIL } from '../../entrance/person-fields.ts';
import type { FormState } from '../../form-state.ts';
import { buttonForm, copyable, menuOptions, wholeProblem } from '../../forms.ts';
import { checkedEmail, checkedName } from '../../../../people/account/names.ts';
import { brandsOrAll, formOf, menuOf, text } from '../../framework/fields.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import type { AccountContent } from '../frame.ts';
import { brandNames, ROLE_LABELS } from '../labels.ts';
import { pluralize } from '../../../../base/text/words.ts';
import { dayTag } from '../../parts.ts';
import { records, type Column } from '../../records.ts';

export interface MembersContent {
  form: FormState;
  /** The viewer's person id */
  viewerId: string;
  members: readonly Member[];
  invitations: readonly Invitation[];
  seats: number;
  /** Seats of all members, also of those whom the viewer doesn't see */
  taken: number;
  /** The brands that the viewer sees */
  brands: readonly Brand[];
  /** Roles that the viewer may assign and remove; empty if they may not manage members */
  manageable: readonly Role[];
  /** Whether the organization requires a second factor */
  needsFactor: boolean;
  /** The invitation that was just created. Its link can't be shown again. */
  invited: NewInvitation | undefined;
  /** Whether the service sends email */
  sendsMail: boolean;
}

interface NewInvitation {
  name: string;
  token: string;
  /** Address to which it was also sent */
  email: string | undefined;
}

export const MEMBERS_PATH = '/account/members';

export const MEMBER_FORMS = {
  role: '/account/members/role',
  access: '/account/members/access',
  brands: '/account/members/brands',
  remove: '/account/members/remove',
  secondFactor: '/account/members/second-factor',
  revoke: '/account/members/withdraw',
} as const;

export function membersPage(content: MembersContent, links: Links): AccountContent {
  const { form, invitations, seats, taken, manageable, invited } = content;
  const manages = manageable.length > 0;
  const main = html`<p>
      ${taken} of ${seats} seats are taken. Owners and admins manage members and API keys. Reviewers
      approve or reject requested ZIP codes. Members request them. Read-only members can’t change
      territories, here or through a connector. People with some brands, such as franchisees, see
      and change only these.
    </p>
    ${wholeProblem(form)} ${invited && newInvitation(invited, links)} ${memberTable(content, links)}
    ${manages && invitations.length > 0 && invitationTable(content, links)}
    ${
      manages
        ? html`${inviteForm(content, links)} ${factorForm(content, links)}`
        : html`<p class="quiet">Only owners and admins can invite people.</p>`
    }`;
  return { path: MEMBERS_PATH, main };
}

function newInvitation({ name, token, email }: NewInvitation, links: Links): Html {
  return html`<section class="shown-once" aria-label="New invitation">
    <h2>Invitation for ${name}</h2>
    <p>
      ${
        email === undefined
          ? 'Send this link now.'
          : html`We’re sending it to ${email}. You can also pass this link on.`
      }
      It won’t be shown again. One person can use it within ${INVITATION_DAYS} days.
    </p>
    ${copyable('new-invitation', 'Link', links.absolute(invitationPath(token)))}
  </section>`;
}

function memberTable(content: MembersContent, links: Links): Html {
  const { members, brands, viewerId, manageable } = content;
  const removeCell = ({ id, name, email, role }: Member) =>
    manageable.includes(role) &&
    buttonForm(
      links.page(MEMBER_FORMS.remove),
      { email },
      { label: id === viewerId ? 'Leave' : 'Remove', about: name },
    );
  const columns: Column<Member>[] = [
    {
      heading: 'Name',
      cell: ({ id, name }) => html`${name}${id === viewerId && html`<span class="tag">You</span>`}`,
    },
    { heading: 'Email', cell: ({ email }) => email },
    { heading: 'Joined', cell: ({ since }) => dayTag(since) },
    {
      heading: 'Role',
      cell: (member) =>
        manageable.includes(member.role)
          ? roleForm(member, manageable, links)
          : ROLE_LABELS[member.role],
    },
    {
      heading: 'Access',
      cell: (member) =>
        html`<span class="with-action"
          >${member.mayWrite ? 'Read and write' : 'Read only'}
          ${manageable.includes(member.role) && accessForm(member, links)}</span
        >`,
    },
    ...(brands.length > 1
      ? [
          {
            heading: 'Brands',
            cell: (member: Member) =>
              html`<span class="with-action"
                >${brandNames(member.brandIds, brands)}
                ${
                  member.role !== 'owner' &&
                  manageable.includes(member.role) &&
                  html`<a
                    class="quiet-button"
                    href="${links.page(MEMBER_FORMS.brands)}?email=${encodeURIComponent(member.email)}"
                    >Change<span class="visually-hidden"> the brands of ${member.name}</span></a
                  >`
                }</span
              >`,
          },
        ]
      : []),
    ...(members.some(({ companyAccount }) => companyAccount !== null)
      ? [{ heading: 'Company account', cell: companyCell } as const]
      : []),
    { heading: 'Second factor', cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'On' : 'Off') },
    ...(manageable.length > 0
      ? [{ heading: 'Remove', hidden: true, cell: removeCell } as const]
      : []),
  ];
  return records('Members', columns, members);
}

const companyCell = ({ companyAccount }: Member) =>
  companyAccount === null ? 'No' : companyAccount === 'active' ? 'Yes' : 'Ended by the provider';

const accessForm = ({ name, email, mayWrite }: Member, links: Links): Html =>
  buttonForm(
    links.page(MEMBER_FORMS.access),
    { email, access: mayWrite ? 'read' : 'write' },
    { label: mayWrite ? 'Make read-only' : 'Allow writing', about: name },
  );

function roleForm({ id, name, email, role }: Member, roles: readonly Role[], links: Links): Html {
  return html`<form method="post" action="${links.page(MEMBER_FORMS.role)}" class="inline">
    <input type="hidden" name="email" value="${email}" />
    <label class="visually-hidden" for="role-${id}">Role of ${name}</label>
    <select id="role-${id}" name="role">
      ${menuOptions(choicesOf(roles), role)}
    </select>
    <button class="quiet-button">
      Change<span class="visually-hidden"> the role of ${name}</span>
    </button>
  </form>`;
}

function invitationTable({ invitations, brands }: MembersContent, links: Links): Html {
  const revokeCell = ({ id, name }: Invitation) =>
    buttonForm(
      links.page(MEMBER_FORMS.revoke),
      { invitation: id },
      { label: 'Revoke', about: `the invitation for ${name}` },
    );
  const isMailed = invitations.some(({ email }) => email !== null);
  const table = records(
    'Open invitations',
    [
      { heading: 'Name', cell: ({ name }) => name },
      ...(isMailed
        ? [{ heading: 'Sent to', cell: ({ email }: Invitation) => email ?? 'Not sent' }]
        : []),
      { heading: 'Role', cell: ({ role }) => ROLE_LABELS[role] },
      ...(brands.length > 1
        ? [{ heading: 'Brands', cell: ({ brandIds }: Invitation) => brandNames(brandIds, brands) }]
        : []),
      { heading: 'Invited by', cell: ({ createdBy }) => createdBy },
      { heading: 'Valid until', cell: ({ expiresAt }) => dayTag(expiresAt) },
      { heading: 'Revoke', hidden: true, cell: revokeCell },
    ],
    invitations,
  );
  return html`<section>
    <h2>Open invitations</h2>
    ${table}
  </section>`;
}

const choicesOf = (roles: readonly Role[]) =>
  roles.map((role) => ({ value: role, label: ROLE_LABELS[role] }));

/** Without a mail server, the form has no address. Which roles may be assigned is checked with the caller. */
const inviteAddress = text(
  { ...EMAIL, optional: true, hint: 'Optional. Without it, you pass the link on yourself.' },
  (email) => (email.trim() === '' ? undefined : checkedEmail(email.trim())),
);

export const INVITATION = formOf({
  name: text({ name: 'name', label: 'Name', maxlength: 120 }, (name) =>
    checkedName('An invitation', name),
  ),
  email: {
    ...inviteAddress,
    html: (state: FormState, { sendsMail }: Pick<MembersContent, 'sendsMail'>) =>
      sendsMail && inviteAddress.html(state, null),
  },
  role: menuOf(
    { name: 'role', label: 'Role', value: () => 'member' },
    ({ manageable }: Pick<MembersContent, 'manageable' | 'sendsMail'>) => choicesOf(manageable),
  ),
  brands: brandsOrAll({
    hint: 'Also future ones. Owners always have all.',
    legend: 'Brands that the person sees and changes',
  }),
});

export const MEMBER_BRANDS = formOf({
  brands: brandsOrAll({
    hint: 'Also future ones',
    legend: 'Brands that the person sees and changes',
  }),
});

interface MemberBrands {
  form: FormState;
  member: Member;
  brands: readonly Brand[];
}

/** The page that changes the brands of a member. */
export function memberBrandsPage(
  { form, member, brands }: MemberBrands,
  links: Links,
): AccountContent {
  const main = html`<p>
      ${member.name} (${member.email}) sees and changes the territories, requests, share links, and
      data of these brands. Of others, they learn only that a ZIP code is held or blocked. A change
      takes effect at once, also for connected apps.
    </p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page(MEMBER_FORMS.brands)}">
      <input type="hidden" name="email" value="${member.email}" />
      ${MEMBER_BRANDS.html(form.of(MEMBER_FORMS.brands), { brands }, { brands: member.brandIds })}
      <div class="actions">
        <button class="button">Save</button>
        <a class="quiet-button" href="${links.page(MEMBERS_PATH)}">Cancel</a>
      </div>
    </form>`;
  return { path: MEMBERS_PATH, title: `Brands of ${member.name}`, main };
}

function inviteForm({ form, brands, manageable, sendsMail }: MembersContent, links: Links): Html {
  const state = form.of(MEMBERS_PATH);
  return html`<section>
    <h2>Invite a member</h2>
    <form method="post" action="${links.page(MEMBERS_PATH)}">
      ${INVITATION.html(state, { brands, manageable, sendsMail })}
      <button class="button">Create invitation</button>
    </form>
  </section>`;
}

function factorForm({ members, needsFactor }: MembersContent, links: Links): Html {
  const without = members.filter(({ hasSecondFactor }) => !hasSecondFactor).length;
  const action = links.page(MEMBER_FORMS.secondFactor);
  return html`<section>
    <h2>Second factor</h2>
    ${
      needsFactor
        ? html`<p>Every member needs a second factor, an authenticator app or a passkey.</p>
            ${buttonForm(action, { 'second-factor': 'optional' }, { label: 'Make it optional' })}`
        : html`<p>
              You can require a second factor for every member.
              ${
                without > 0 &&
                html`If you do, ${pluralize(without, 'member')} without one must set it up before
                they can do anything else, and their connected apps stop working until they do.`
              }
            </p>
            ${buttonForm(
              action,
              { 'second-factor': 'required' },
              { label: 'Require a second factor' },
            )}`
    }
  </section>`;
}
