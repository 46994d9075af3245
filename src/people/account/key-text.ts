/** The text form of API keys, link tokens, and connector secrets. */
import { randomInt } from 'node:crypto';

const PREFIX = 'svc_live_';
const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^40 is 2^238. The four characters that a hint reveals leave more than 2^214. */
const RANDOM_CHARACTERS = 40;
const HINT_CHARACTERS = 4;

const INVITATION_PREFIX = 'svc_invite_';
const PASSWORD_LINK_PREFIX = 'svc_password_';
const SIGN_UP_PREFIX = 'svc_signup_';
const UNSUBSCRIBE_PREFIX = 'svc_unsubscribe_';

/** Kinds of connectors' secrets. The prefix is `svc_`, the kind, and `_`. */
export type ConnectorSecret = 'access' | 'refresh' | 'code' | 'registration';

/** `randomInt` is unbiased and cryptographically secure. */
const random = () =>
  Array.from({ length: RANDOM_CHARACTERS }, () => BASE_62[randomInt(62)]).join('');

export const newKey = () => PREFIX + random();
export const newInvitation = () => INVITATION_PREFIX + random();
export const newConnectorSecret = (kind: ConnectorSecret) => `svc_${kind}_${random()}`;
export const newPasswordLink = () => PASSWORD_LINK_PREFIX + random();
export const newSignUpLink = () => SIGN_UP_PREFIX + random();
export const newUnsubscribeLink = () => UNSUBSCRIBE_PREFIX + random();

const KEY = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS}}$`);
export const looksLikeKey = (text: string) => KEY.test(text);

const ACCESS_TOKEN = new RegExp(`^svc_access_[0-9A-Za-z]{${RANDOM_CHARACTERS}}$`);
export const looksLikeAccessToken = (text: string) => ACCESS_TOKEN.test(text);

/** Returns the last four characters, by which people recognize a key. */
export const hintOfKey = (key: string) => key.slice(-HINT_CHARACTERS);
