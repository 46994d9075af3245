/** What a key looks like. It is seen whole only where it is minted and where it is presented. */
import { createHash, randomInt } from 'node:crypto';

const PREFIX = 'svc_live_';
const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^40 is 2^238: the four that a hint tells leave more than 2^214. */
const RANDOM_CHARACTERS = 40;
const HINT_CHARACTERS = 4;

/** `randomInt` draws without bias from the system's source of randomness. */
export const newKey = () =>
  PREFIX + Array.from({ length: RANDOM_CHARACTERS }, () => BASE_62[randomInt(62)]).join('');

const KEY = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS}}$`);
export const looksLikeKey = (text: string) => KEY.test(text);

/** SHA-256. A key is as random as its hash: salt and stretching would add nothing. */
export const hashOfKey = (key: string) => createHash('sha256').update(key).digest();

/** By which people tell keys apart: the last four characters. */
export const hintOfKey = (key: string) => key.slice(-HINT_CHARACTERS);

/** Of what people may have put a key into, for logs. */
export const withoutKeys = (text: string) =>
  text.includes(PREFIX) ? text.replaceAll(/svc_live_[0-9A-Za-z]+/g, `${PREFIX}…`) : text;
