/** Browsers in which the viewer is signed in. */
import { browserName } from '../../../../people/account/browser-name.ts';
import type { SessionRecord } from '../../../../people/account/sessions.ts';
import type { FormState } from '../../form-state.ts';
import { buttonForm, wholeProblem } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import type { AccountContent } from '../frame.ts';
import { dayTag } from '../../parts.ts';
import { records } from '../../records.ts';

export const SESSIONS_PATH = '/account/sessions';
export const END_OTHERS_PATH = '/account/sessions/end-others';

export function sessionsPage(
  {
    form,
    sessions,
    currentId,
  }: {
    form: FormState;
    sessions: readonly SessionRecord[];
    /** Id of the viewer's own session */
    currentId: string;
  },
  links: Links,
): AccountContent {
  const endCell = ({ id, userAgent }: SessionRecord) =>
    id !== currentId &&
    buttonForm(
      links.page(SESSIONS_PATH),
      { session: id },
      { label: 'End', about: `the session in ${browserName(userAgent)}` },
    );
  const table = records(
    'Sessions',
    [
      {
        heading: 'Browser',
        cell: ({ id, userAgent }) =>
          html`${browserName(userAgent)}${id === currentId && html`<span class="tag">This browser</span>`}`,
      },
      { heading: 'Network', cell: ({ client }) => client },
      { heading: 'Signed in', cell: ({ createdAt }) => dayTag(createdAt) },
      { heading: 'Last seen', cell: ({ lastSeenAt }) => dayTag(lastSeenAt) },
      { heading: 'End', hidden: true, cell: endCell },
    ],
    sessions,
  );
  const main = html`<p>
      These browsers are signed in to your account. A session ends after a week without use, and
      after a month at the latest.
    </p>
    ${wholeProblem(form)} ${table}
    ${
      sessions.length > 1 &&
      buttonForm(links.page(END_OTHERS_PATH), {}, { label: 'End all other sessions' })
    }`;
  return { path: SESSIONS_PATH, main };
}
