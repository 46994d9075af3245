/** Where a person is signed in. */
import type { SessionRecord } from '../../account/sessions.ts';
import { day } from '../format.ts';
import type { FormState } from '../form-state.ts';
import { buttonForm, wholeProblem } from '../forms.ts';
import { html } from '../html.ts';
import type { Links } from '../links.ts';
import { wideTable } from '../parts.ts';
import { accountPage, type Resident } from './frame.ts';

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
  const table = html`<table class="records">
    <thead>
      <tr>
        <th scope="col">Browser</th>
        <th scope="col">Network</th>
        <th scope="col">Signed in</th>
        <th scope="col">Last seen</th>
        <th scope="col"><span class="visually-hidden">End</span></th>
      </tr>
    </thead>
    <tbody>
      ${sessions.map(({ id, userAgent, client, createdAt, lastSeenAt }) => {
        const browser = browserName(userAgent);
        return html`<tr>
          <th scope="row">
            ${browser}${id === current && html`<span class="tag">This one</span>`}
          </th>
          <td data-label="Network">${client}</td>
          <td data-label="Signed in">${day(createdAt)}</td>
          <td data-label="Last seen">${day(lastSeenAt)}</td>
          <td>
            ${
              id !== current &&
              buttonForm(
                links.page('/account/sessions'),
                { session: id },
                { label: 'End', about: `the session of ${browser}` },
              )
            }
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;
  const main = html`<p>
      You are signed in here. A session is over after a week without use, and after a month in any
      case.
    </p>
    ${wholeProblem(form)} ${wideTable('Sessions', table)}
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
