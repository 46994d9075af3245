/** Turns queued emails about notifications into letters when they are sent, with what holds at that time. */
import type { Caller } from '../../../people/account/caller.ts';
import { callerOfPerson } from '../../../people/account/callers.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { Database } from '../../../base/db/database.ts';
import type { EventData } from '../../../people/events/catalog.ts';
import type { Letter } from '../../../people/mail/letter.ts';
import type { Writers } from '../../../people/mail/sender.ts';
import { openRequests } from '../../brands/open-requests.ts';
import { formatCount, pluralize } from '../../../base/text/words.ts';
import { notificationsOfEmail, type Notification } from '../notifications.ts';
import { NOTIFICATION_MAIL, type NotificationMail } from '../queue-emails.ts';
import { settingsOf } from '../settings.ts';
import { TOPICS, topicsOf, type TopicName } from '../topics.ts';
import { makeUnsubscribeLink, unsubscribePath } from '../unsubscribe.ts';
import { requestSection } from './request-section.ts';

export interface LetterParts {
  db: Database;
  renderer: MapRenderer;
  /** Returns the URL of a page from its path. */
  page: (path: string) => string;
}

export const notificationWriters = (parts: LetterParts): Writers => ({
  async [NOTIFICATION_MAIL](recipient, data) {
    const { organizationId, personId, topic, emailId } = data as unknown as NotificationMail;
    const caller = await callerOfPerson(parts.db, organizationId, personId);
    if (!caller || !topicsOf(caller.role).includes(topic)) return null;
    const { tenant } = caller;
    const { choices } = await settingsOf(tenant, personId);
    if (choices[topic] === 'never') return null;
    const notifications = await notificationsOfEmail(tenant, personId, emailId);
    const letter =
      topic === 'requests'
        ? await requestsLetter(parts, caller, notifications)
        : listLetter(parts, topic, notifications);
    if (!letter) return null;
    const { name } = caller.organization;
    const token = await makeUnsubscribeLink(tenant, personId, topic);
    return {
      recipient,
      letter: {
        ...letter,
        notes: [
          `You get this email as a member of ${name}. Choose your emails at ${parts.page('/account/notifications')}`,
        ],
        unsubscribe: {
          label: `Stop emails about “${TOPICS[topic].label}”`,
          url: parts.page(unsubscribePath(token)),
        },
      },
    };
  },
});

type Content = Omit<Letter, 'notes'>;

/** Requests with a section of their own. The others are only counted, because mail programs cut long emails. */
const MAX_SECTIONS = 10;
/** A map takes 100 to 200 kB. */
const MAX_MAPS = 5;

/** @returns null if nothing waits anymore */
async function requestsLetter(
  { page, ...parts }: LetterParts,
  caller: Caller,
  notifications: readonly Notification[],
): Promise<Content | null> {
  const pages = new Map<string, string>();
  const reminded = new Set<string>();
  for (const { event, path } of notifications) {
    const { requestId } = event.data as EventData<'territory.requested'>;
    pages.set(requestId, path);
    if (event.type === 'territory.waiting') reminded.add(requestId);
  }
  const requests = await openRequests(caller.tenant, [...pages.keys()]);
  if (requests.length === 0) return null;
  const sections: Content['sections'] & unknown[] = [];
  for (const request of requests.slice(0, MAX_SECTIONS)) {
    sections.push(
      await requestSection({ ...parts, caller }, request, {
        isReminder: reminded.has(request.id),
        hasMap: sections.length < MAX_MAPS,
        link: page(pages.get(request.id)!),
      }),
    );
  }
  const zips = requests.reduce((sum, request) => sum + request.zips.length, 0);
  const one = requests.length === 1 ? requests[0] : undefined;
  const more = requests.length - sections.length;
  return {
    subject: one
      ? `Review: ${pluralize(zips, 'ZIP code')} for ${one.brand.name}`
      : `${pluralize(requests.length, 'request')} to review`,
    paragraphs: [
      `${pluralize(requests.length, 'request')} for ${pluralize(zips, 'ZIP code')} ${requests.length === 1 ? 'waits' : 'wait'} for your review.` +
        (more > 0
          ? ` Here are the first ${formatCount(sections.length)}. ${formatCount(more)} more are in the queue.`
          : ''),
    ],
    sections,
    link: { label: 'Open the review queue', url: page('/account/reviews') },
  };
}

/** Notifications with a section of their own */
const MAX_LISTED = 30;

/** @returns null if their events are no longer kept */
function listLetter(
  { page }: LetterParts,
  topic: TopicName,
  notifications: readonly Notification[],
): Content | null {
  const [first] = notifications;
  if (!first) return null;
  if (notifications.length === 1) {
    return {
      subject: first.text.replace(/\.$/, ''),
      paragraphs: [first.text, ...first.details],
      link: { label: first.linkLabel, url: page(first.path) },
    };
  }
  const more = notifications.length - MAX_LISTED;
  return {
    subject: `${TOPICS[topic].label}: ${formatCount(notifications.length)} updates`,
    paragraphs:
      more > 0
        ? [`Here are the first ${MAX_LISTED}. ${formatCount(more)} more are in your account.`]
        : [],
    sections: notifications
      .slice(0, MAX_LISTED)
      .map(({ text, details, path, linkLabel }) => ({
        heading: text,
        paragraphs: details,
        link: { label: linkLabel, url: page(path) },
      })),
    link: { label: 'Open your notifications', url: page('/account/notifications') },
  };
}
