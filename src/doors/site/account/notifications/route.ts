import {
  latestNotifications,
  markRead,
  type Notification,
} from '../../../../territories/notify/notifications.ts';
import { changeSettings, settingsOf } from '../../../../territories/notify/settings.ts';
import { topicsOf, type Choice } from '../../../../territories/notify/topics.ts';
import { readWholeNumber } from '../../../../base/text/whole-number.ts';
import type { Page } from '../../framework/page.ts';
import { CHOICE_PREFIX, NOTIFICATIONS_PATH, notificationsPage } from './view.ts';

const MAX_SHOWN = 50;

export const notificationsRoute: Page<'account'> = {
  audience: 'account',
  path: NOTIFICATIONS_PATH,
  async show({ caller, session, sendsMail, links }, form) {
    const { tenant, role } = caller;
    const personId = session.person.id;
    const [settings, notifications] = await Promise.all([
      settingsOf(tenant, personId),
      latestNotifications(tenant, personId, MAX_SHOWN),
    ]);
    const [latest] = notifications;
    if (latest && notifications.some(isNew)) await markRead(tenant, personId, latest.position);
    const topics = topicsOf(role);
    const { email } = session.person;
    return notificationsPage({ form, email, topics, settings, notifications, sendsMail }, links);
  },
  forms: [
    {
      async submit({ caller, session }, fields) {
        const chosen = topicsOf(caller.role).flatMap((topic) => {
          const choice = fields.get(CHOICE_PREFIX + topic);
          return choice === null ? [] : [[topic, choice as Choice] as const];
        });
        await changeSettings(caller.tenant, session.person.id, {
          timeZone: fields.get('time-zone'),
          digestHour: readWholeNumber(fields.get('hour') ?? '', 0, 23) ?? NaN,
          choices: Object.fromEntries(chosen),
        });
        return { to: NOTIFICATIONS_PATH, notice: 'emails-saved' };
      },
    },
  ],
};

const isNew = ({ isRead }: Notification) => !isRead;
