/** What a page says was done just now: named in the address that a form leads to, never written there. */

const NOTICES = {
  'signed-out': 'You are signed out.',
  'password-changed': 'Your password is changed. You are signed out everywhere else.',
  'password-chosen': 'Your password is set, and you are signed in.',
  'session-ended': 'That session is over.',
  'sessions-ended': 'All your other sessions are over.',
  'key-revoked': 'The key is revoked: nobody gets in with it any more.',
  'connection-ended': 'That connection is over: the app gets in no more.',
  'access-changed': 'What that person may do is changed.',
  'role-changed': 'The role is changed.',
  'member-removed': 'That person does not belong to the organisation any more.',
  'invitation-revoked': 'The invitation is withdrawn: its link does not work any more.',
  'share-minted': 'The link is open: send it, embed it, or take its picture.',
  'share-revoked': 'The link is closed: whoever opens it finds nothing any more.',
  'zips-sent': 'The ZIP codes wait for review now.',
  'zips-held': 'There was nothing to send: the brand holds these ZIP codes already.',
  'weights-saved': 'The weights are saved: targeting ranks by them from now on.',
  'weights-reset': 'The public weights count again.',
  'brand-created': 'The brand is there. Add its first ZIP codes on the map or as a list.',
  'zips-requested':
    'Sent to review. The ZIP codes are pending until a reviewer approves or rejects them.',
  'removal-undone': 'The removal is undone. What it found is told below.',
  joined: 'Welcome: you belong to the organisation now.',
  'signed-up': 'Welcome. Your trial has begun.',
} as const;

export type Notice = keyof typeof NOTICES;

/** @returns null for what names none of them */
export const noticeText = (name: string | null) =>
  name !== null && Object.hasOwn(NOTICES, name) ? NOTICES[name as Notice] : null;
