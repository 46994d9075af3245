import { REVIEWERS } from '../../../../people/account/access.ts';
import { colleaguesOf, listMembers } from '../../../../people/account/members.ts';
import { countPendingReviews } from '../../../../territories/brands/review-list.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import { html } from '../../html.ts';
import type { AccountContent } from '../frame.ts';
import { ROLE_LABELS } from '../labels.ts';
import { formatCount } from '../../../../base/text/words.ts';

/** The page that replaces the review queue for members without a reviewer's role. */
export async function notReviewerPage({ caller, links }: MemberVisit): Promise<AccountContent> {
  const [members, pending] = await Promise.all([
    listMembers(caller.tenant),
    countPendingReviews(caller.tenant, caller.brandScope),
  ]);
  const reviewers = colleaguesOf(members, caller.brandScope).filter(({ role }) =>
    REVIEWERS.includes(role),
  );
  const main = html`<p>
      ${
        pending === 0
          ? 'No ZIP codes are pending review.'
          : `${pending === 1 ? 'One ZIP code is' : `${formatCount(pending)} ZIP codes are`} pending review.`
      }
      Only owners, admins, and reviewers can approve or reject requests. You are a member.
    </p>
    <h2 class="later">Reviewers</h2>
    <ul>
      ${reviewers.map(({ name, role }) => html`<li>${name} <span class="quiet">${ROLE_LABELS[role]}</span></li>`)}
    </ul>
    <p>
      See past decisions and their reasons in the
      <a href="${links.page('/account/activity')}">activity log</a>.
    </p>`;
  return { path: '/account/reviews', title: 'Review', main };
}
