/** Where a person is signed in. */
import type { SessionRecord } from '../../../account/sessions.ts';
import { day } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { buttonForm, wholeProblem } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { accountPage, type Resident } from '../frame.ts';
import { records } from '../records.ts';

export const END_OTHERS_PATH = '/account/sessions/end-others';

export function sessionsPage(
  {
    resident,
    done,
    form,
    sessions,
    current,
  }: {
    resident: Resident;
    done: string | null;
    form: FormState;
    sessions: readonly SessionRecord[];
    /** Id of the one that looks */
    current: string;
  },
  links: Links,
): string {
  const ending = ({ id, userAgent }: SessionRecord) =>
    id !== current &&
    buttonForm(
      links.page('/account/sessions'),
      { session: id },
      { label: 'End', about: `the session of ${browserName(userAgent)}` },
    );
  const table = records(
    'Sessions',
    [
      {
        heading: 'Browser',
        cell: ({ id, userAgent }) =>
          html`${browserName(userAgent)}${id === current && html`<span class="tag">This one</span>`}`,
      },
      { heading: 'Network', cell: ({ client }) => client },
      { heading: 'Signed in', cell: ({ createdAt }) => day(createdAt) },
      { heading: 'Last seen', cell: ({ lastSeenAt }) => day(lastSeenAt) },
      { heading: 'End', hidden: true, cell: ending },
    ],
    sessions,
  );
  const main = html`<p>
      You are signed in here. A session is over after a week without use, and after a month in any
      case.
    </p>
    ${wholeProblem(form)} ${table}
    ${
      sessions.length > 1 &&
      buttonForm(links.page(END_OTHERS_PATH), {}, { label: 'End all other sessions' })
    }`;
  return accountPage({ path: '/account/sessions', done, resident, main }, links);
}

/** Those that pose as others stand before them. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** `Firefox on Windows`, so that people know their own again. */
function browserName(userAgent: string): string {
  const named = (of: typeof BROWSERS) => of.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = named(BROWSERS) ?? 'Another browser';
  const system = named(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
