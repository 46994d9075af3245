/**
 * Notices that confirm the result of a form. An address contains only the name of a notice, never its text.
 */
import { html } from './html.ts';

const NOTICES = {
  'signed-out': 'You are signed out.',
  'still-signed-in': 'You stay signed in. Nobody else was signed in.',
  'password-changed':
    'Password changed. You are signed out everywhere else, and your apps are disconnected.',
  'password-chosen': 'Password saved. You are signed in.',
  'emails-saved': 'Saved. Emails follow your choices from now on.',
  'session-ended': 'Session ended.',
  'sessions-ended': 'All your other sessions have ended.',
  'key-revoked': 'API key revoked. It no longer works.',
  'signed-urls-ended': 'All signed URLs have ended. Sign new ones in the picture builder.',
  'webhook-saved': 'Webhook saved.',
  'webhook-on': 'Webhook turned on. It gets what it missed, in order.',
  'webhook-off': 'Webhook turned off. Nothing is sent until you turn it on.',
  'webhook-deleted': 'Webhook deleted.',
  'delivery-resent': 'It is sent again within seconds. Reload the page to see the answer.',
  'connection-ended': 'App disconnected. It no longer has access.',
  'access-changed': 'Access changed.',
  'role-changed': 'Role changed.',
  'member-removed': 'Member removed from the organization.',
  'factor-added': 'Second factor added.',
  'factor-removed': 'Second factor removed.',
  'second-factor-required': 'All members now need a second factor.',
  'second-factor-optional': 'A second factor is now optional.',
  'company-required': 'Company sign-in is now required.',
  'company-optional': 'Company sign-in is now optional.',
  'company-removed': 'Company sign-in removed. Its sessions have ended.',
  'domain-proved': 'Domain proved. People with addresses at it now sign in at your provider.',
  'domain-checked': 'Checked. The domain isn’t proved yet; see below what is wrong.',
  'invitation-revoked': 'Invitation revoked. Its link no longer works.',
  'share-minted': 'Share link created. Send it, embed it, or use its picture.',
  'share-revoked': 'Share link revoked. The map can no longer be opened.',
  'locator-created': 'Locator created. Put it on your website, or send its page.',
  'locator-changed': 'Saved. Websites show it at once.',
  'locator-revoked': 'Locator revoked. It is closed everywhere.',
  'data-saved': 'Saved. You can now color the map by it, and use it in targeting and plans.',
  'data-brands-changed': 'Saved. It takes effect at once.',
  'data-restored': 'Restored. The earlier upload counts again.',
  'data-deleted': 'Data set deleted.',
  'place-added': 'Place added.',
  'place-changed': 'Place saved.',
  'place-deleted': 'Place deleted.',
  'places-imported': 'Places imported.',
  'terms-saved': 'Terms set.',
  'contact-saved': 'Contact saved. Customers see it from now on.',
  'zips-held':
    'Nothing to send: the brand already holds these ZIP codes, or a rule of a group refuses them.',
  'change-approved': 'Approved. The change is live.',
  'change-scheduled': 'Approved. The change goes live on its day.',
  'change-rejected': 'Rejected. Territories stay as they are.',
  'change-moved': 'Moved.',
  'change-withdrawn': 'Withdrawn. Territories stay as they are.',
  'change-undone': 'Undone. Territories are as they were before the change.',
  'group-created': 'Group created.',
  'group-changed': 'Group changed. Territories stay as they are.',
  'group-deleted': 'Group deleted. Territories stay as they are.',
  'zips-reserved': 'Reserved. No brand of the group can request these ZIP codes.',
  'reserve-ended': 'Reserve ended. Brands can request these ZIP codes again.',
  'weights-saved': 'Weights saved. Targeting uses them from now on.',
  'weights-reset': 'Weights reset. Targeting uses the public weights again.',
  'brand-created': 'Brand created. Add its first ZIP codes on the map or as a list.',
  'look-saved': 'Look saved. Pictures and share links now use it.',
  'zips-requested':
    'Sent to review. The ZIP codes are pending until a reviewer approves or rejects them.',
  'zips-live': 'Added. The ZIP codes are live.',
  'review-settings-changed': 'Saved. New requests follow it.',
  'removal-undone': 'Removal undone. See the result below.',
  joined: 'Welcome! You joined the organization.',
  'signed-up': 'Welcome! Your trial has started.',
} as const;

export type Notice = keyof typeof NOTICES;

/** The notice with this name, or nothing for an unknown name. */
export const notice = (name: string | null) =>
  name !== null &&
  Object.hasOwn(NOTICES, name) &&
  html`<p class="notice" role="status">${NOTICES[name as Notice]}</p>`;
