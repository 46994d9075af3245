/** Who belongs to the organisation, and who was asked to. */
import type { Role } from '../../../account/caller.ts';
import { INVITATION_DAYS, type Invitation } from '../../../account/invitations.ts';
import type { Member } from '../../../account/members.ts';
import { day } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { buttonForm, copyable, selectField, textField, wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { accountPage, type Resident } from '../frame.ts';
import { records, type Column } from '../records.ts';

export interface MembersContent {
  resident: Resident;
  done: string | null;
  form: FormState;
  /** Of the person who looks */
  me: string;
  members: readonly Member[];
  invitations: readonly Invitation[];
  seats: number;
  /** Roles that this person may give and take; none: may only look */
  manageable: readonly Role[];
  /** Just now: its link is never seen again */
  invited?: { name: string; token: string };
}

export const MEMBER_FORMS = {
  invite: '/account/members',
  role: '/account/members/role',
  access: '/account/members/access',
  remove: '/account/members/remove',
  revoke: '/account/members/withdraw',
} as const;

const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  reviewer: 'Reviewer',
  member: 'Member',
};

export function membersPage(content: MembersContent, links: Links): string {
  const { resident, done, form, members, invitations, seats, manageable, invited } = content;
  const manages = manageable.length > 0;
  const main = html`<p>
      ${members.length} of ${seats} seats are taken. Owners and admins manage people and keys;
      reviewers decide about ZIPs that were asked for; members ask for them. Whoever may only read
      changes no territory, neither here nor through a connector.
    </p>
    ${wholeProblem(form)} ${invited && shownOnce(invited, links)} ${memberTable(content, links)}
    ${manages && invitations.length > 0 && invitationTable(invitations, links)}
    ${
      manages
        ? inviteForm(content, links)
        : html`<p class="quiet">Owners and admins invite people.</p>`
    }`;
  return accountPage({ path: '/account/members', done, resident, main }, links);
}

function shownOnce({ name, token }: { name: string; token: string }, links: Links): Html {
  return html`<section class="shown-once" aria-label="The new invitation">
    <h2>The invitation for ${name}</h2>
    <p>
      Send this link now: it is shown this once only. It lets one person in, within
      ${INVITATION_DAYS} days.
    </p>
    ${copyable('new-invitation', 'Link', links.absolute(`/invite/${token}`))}
  </section>`;
}

function memberTable({ members, me, manageable }: MembersContent, links: Links): Html {
  const leaving = ({ id, name, email, role }: Member) =>
    manageable.includes(role) &&
    buttonForm(
      links.page(MEMBER_FORMS.remove),
      { email },
      { label: id === me ? 'Leave' : 'Remove', about: name },
    );
  const columns: Column<Member>[] = [
    {
      heading: 'Name',
      cell: ({ id, name }) => html`${name}${id === me && html`<span class="tag">You</span>`}`,
    },
    { heading: 'E-mail', cell: ({ email }) => email },
    { heading: 'Since', cell: ({ since }) => day(since) },
    {
      heading: 'Role',
      cell: (member) =>
        manageable.includes(member.role)
          ? roleForm(member, manageable, links)
          : ROLE_LABELS[member.role],
    },
    {
      heading: 'May',
      cell: (member) =>
        html`<span class="with-action"
          >${member.mayWrite ? 'Read and write' : 'Only read'}
          ${manageable.includes(member.role) && accessForm(member, links)}</span
        >`,
    },
    ...(manageable.length > 0 ? [{ heading: 'Remove', hidden: true, cell: leaving } as const] : []),
  ];
  return records('Members', columns, members);
}

const accessForm = ({ name, email, mayWrite }: Member, links: Links): Html =>
  buttonForm(
    links.page(MEMBER_FORMS.access),
    { email, access: mayWrite ? 'read' : 'write' },
    { label: mayWrite ? 'Only read' : 'Let write', about: name },
  );

function roleForm({ id, name, email, role }: Member, roles: readonly Role[], links: Links): Html {
  return html`<form method="post" action="${links.page(MEMBER_FORMS.role)}" class="inline">
    <input type="hidden" name="email" value="${email}" />
    <label class="visually-hidden" for="role-${id}">Role of ${name}</label>
    <select id="role-${id}" name="role">
      ${roles.map(
        (one) =>
          html`<option value="${one}" ${one === role && html`selected`}>
            ${ROLE_LABELS[one]}
          </option>`,
      )}
    </select>
    <button class="quiet-button">
      Change<span class="visually-hidden"> the role of ${name}</span>
    </button>
  </form>`;
}

function invitationTable(invitations: readonly Invitation[], links: Links): Html {
  const withdrawing = ({ id, name }: Invitation) =>
    buttonForm(
      links.page(MEMBER_FORMS.revoke),
      { invitation: id },
      { label: 'Withdraw', about: `the invitation for ${name}` },
    );
  const table = records(
    'Open invitations',
    [
      { heading: 'For', cell: ({ name }) => name },
      { heading: 'Role', cell: ({ role }) => ROLE_LABELS[role] },
      { heading: 'Invited by', cell: ({ createdBy }) => createdBy },
      { heading: 'Valid until', cell: ({ expiresAt }) => day(expiresAt) },
      { heading: 'Withdraw', hidden: true, cell: withdrawing },
    ],
    invitations,
  );
  return html`<section>
    <h2>Open invitations</h2>
    ${table}
  </section>`;
}

function inviteForm({ form, manageable }: MembersContent, links: Links): Html {
  const state = form.of(MEMBER_FORMS.invite);
  return html`<section>
    <h2>Invite somebody</h2>
    <form method="post" action="${links.page(MEMBER_FORMS.invite)}">
      ${textField({ name: 'name', label: 'Whom', maxlength: 120, autocomplete: 'off' }, state)}
      ${selectField(
        { name: 'role', label: 'Role', value: 'member' },
        manageable.map((role) => ({ value: role, label: ROLE_LABELS[role] })),
        state,
      )}
      <button class="button">Make the link</button>
    </form>
  </section>`;
}
