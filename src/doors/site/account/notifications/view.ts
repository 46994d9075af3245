/** What happened that concerns the viewer, and which emails they get about it. */
import type { Notification } from '../../../../territories/notify/notifications.ts';
import { TIME_ZONES } from '../../../../base/text/days.ts';
import type { NotificationSettings } from '../../../../territories/notify/settings.ts';
import { USUAL_TIME_ZONE } from '../../../../territories/notify/usual-settings.ts';
import {
  CHOICES,
  TOPICS,
  type Choice,
  type TopicName,
} from '../../../../territories/notify/topics.ts';
import type { FormState } from '../../form-state.ts';
import { selectField, wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { minuteTag } from '../../parts.ts';
import type { AccountContent } from '../frame.ts';

export const NOTIFICATIONS_PATH = '/account/notifications';

/** Of the names of fields: the topic follows */
export const CHOICE_PREFIX = 'email-';

const CHOICE_LABELS: Record<Choice, string> = {
  now: 'At once',
  daily: 'Once a day',
  never: 'Never',
};

interface NotificationsContent {
  form: FormState;
  /** Address of the viewer */
  email: string;
  /** Those about which people with the viewer's role are notified */
  topics: readonly TopicName[];
  settings: NotificationSettings;
  /** Newest first */
  notifications: readonly Notification[];
  sendsMail: boolean;
}

export function notificationsPage(content: NotificationsContent, links: Links): AccountContent {
  const { notifications } = content;
  const main = html`${
    notifications.length > 0
      ? html`<ul class="trail news">
          ${notifications.map((each) => newsItem(each, links))}
        </ul>`
      : html`<p class="empty">
          Nothing yet. Here you see requests to review, decisions on your requests, changes to your
          plans, and usage.
        </p>`
  }
  ${emailSection(content, links)}`;
  return { path: NOTIFICATIONS_PATH, main, assets: ['account/notifications/style.css'] };
}

function newsItem(
  { text, details, path, linkLabel, at, isRead }: Notification,
  links: Links,
): Html {
  return html`<li ${!isRead && html`class="unread"`}>
    <p>${text}${!isRead && html`<span class="tag">New</span>`}</p>
    ${details.map((detail) => html`<p class="quiet">${detail}</p>`)}
    <p class="quiet">${minuteTag(at)} · <a href="${links.page(path)}">${linkLabel}</a></p>
  </li>`;
}

function emailSection(
  { form, email, topics, settings, sendsMail }: NotificationsContent,
  links: Links,
): Html {
  return html`<section aria-labelledby="emails">
    <h2 id="emails">Emails</h2>
    <p>
      ${
        sendsMail
          ? html`They go to ${email}. “At once” waits a minute, so that several events come in one
            email.`
          : 'This service doesn’t send email. Your choices apply once its operator sets up email.'
      }
    </p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page(NOTIFICATIONS_PATH)}">
      ${topics.map((topic) => {
        const { label, hint } = TOPICS[topic];
        const field = { name: CHOICE_PREFIX + topic, label, hint, value: settings.choices[topic] };
        return selectField(field, CHOICES.map(choiceOf), form);
      })}
      ${selectField(
        {
          name: 'hour',
          label: 'Daily email',
          hint: 'Only if there is news',
          value: String(settings.digestHour),
        },
        HOURS,
        form,
      )}
      ${selectField(
        { name: 'time-zone', label: 'Time zone', value: settings.timeZone ?? USUAL_TIME_ZONE },
        timeZoneChoices(settings.timeZone),
        form,
      )}
      <button class="button">Save</button>
    </form>
  </section>`;
}

/** Includes the browser’s time zone, which may be another one. */
function timeZoneChoices(current: string | null) {
  const listed = Object.entries(TIME_ZONES).map(([value, label]) => ({ value, label }));
  if (current === null || Object.hasOwn(TIME_ZONES, current)) return listed;
  return [{ value: current, label: current.replaceAll('_', ' ') }, ...listed];
}

const choiceOf = (value: Choice) => ({ value, label: CHOICE_LABELS[value] });

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${hour % 12 === 0 ? 12 : hour % 12}:00 ${hour < 12 ? 'AM' : 'PM'}`,
}));
