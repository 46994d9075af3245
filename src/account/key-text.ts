/** What a key looks like. It is seen whole only where it is minted and where it is presented. */
import { createHash, randomInt } from 'node:crypto';

const PREFIX = 'svc_live_';
const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^40 is 2^238: the four that a hint tells leave more than 2^214. */
const RANDOM_CHARACTERS = 40;
const HINT_CHARACTERS = 4;

/** Of links that let somebody in: told from keys, and kept out of logs like them. */
const INVITATION_PREFIX = 'svc_invite_';
const PASSWORD_LINK_PREFIX = 'svc_password_';

/** Of what connectors are given: told apart likewise. */
export type ConnectorSecret = 'access' | 'refresh' | 'code' | 'registration';

/** `randomInt` draws without bias from the system's source of randomness. */
const random = () =>
  Array.from({ length: RANDOM_CHARACTERS }, () => BASE_62[randomInt(62)]).join('');

export const newKey = () => PREFIX + random();
export const newInvitation = () => INVITATION_PREFIX + random();
export const newConnectorSecret = (kind: ConnectorSecret) => `svc_${kind}_${random()}`;
export const newPasswordLink = () => PASSWORD_LINK_PREFIX + random();

const KEY = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS}}$`);
export const looksLikeKey = (text: string) => KEY.test(text);

const ACCESS_TOKEN = new RegExp(`^svc_access_[0-9A-Za-z]{${RANDOM_CHARACTERS}}$`);
export const looksLikeAccessToken = (text: string) => ACCESS_TOKEN.test(text);

/** SHA-256. A key is as random as its hash: salt and stretching would add nothing. */
export const hashOfKey = (key: string) => createHash('sha256').update(key).digest();

/** By which people tell keys apart: the last four characters. */
export const hintOfKey = (key: string) => key.slice(-HINT_CHARACTERS);

/** Of what people may have put a key or its like into, for logs. */
export const withoutKeys = (text: string) =>
  text.includes('svc_') ? text.replaceAll(/(svc_[a-z]+_)[0-9A-Za-z]{8,}/g, '$1…') : text;
