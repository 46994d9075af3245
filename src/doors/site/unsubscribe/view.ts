import { TOPICS } from '../../../territories/notify/topics.ts';
import { unsubscribePath, type UnsubscribeLink } from '../../../territories/notify/unsubscribe.ts';
import { NOTIFICATIONS_PATH } from '../account/notifications/view.ts';
import { entrancePage } from '../entrance/frame.ts';
import { html } from '../html.ts';
import type { Links } from '../links.ts';

/** Only the form stops the emails, because programs that check the links in emails open this page. */
export function unsubscribePage(token: string, link: UnsubscribeLink, links: Links): string {
  const main = html`<p>
      Stop emails to ${link.email} about “${TOPICS[link.topic].label}” of
      <strong>${link.organization}</strong>? You still see these notifications in your account.
    </p>
    <form method="post" action="${links.page(unsubscribePath(token))}">
      <button class="button wide-button">Stop these emails</button>
    </form>`;
  return entrancePage({ title: 'Unsubscribe', main }, links);
}

export function unsubscribedPage(link: UnsubscribeLink, links: Links): string {
  const main = html`<p role="status">
      ${link.email} gets no more emails about “${TOPICS[link.topic].label}” of
      <strong>${link.organization}</strong>.
    </p>
    <p><a href="${links.page(NOTIFICATIONS_PATH)}">Choose your emails</a></p>`;
  return entrancePage({ title: 'You are unsubscribed', main }, links);
}
