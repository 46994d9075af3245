/**
 * Encrypts secrets that the service must be able to read again, with AES-256-GCM. Each secret is bound to its owner, so
 * that it can't be copied to another row.
 *
 * A stored secret is `v1.KEY.IV.TEXT`: the key's name, then base64url of the initialization vector and
 * of the encrypted text with its tag. In plain text, a secret that looks like that follows `plain.`: refresh tokens of
 * some providers do.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretBox {
  /** Start of each secret that `seal` returns. Without a key, it's empty, and secrets stay in plain text. */
  readonly prefix: string;
  /** Encrypts a secret. @param owner id of the secret's owner */
  seal(secret: string, owner: string): string;
  /** Decrypts a secret. @throws Error if its key is missing or it has another owner */
  open(stored: string, owner: string): string;
}

const VERSION = 'v1';
const PLAIN = 'plain.';
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface NamedKey {
  name: string;
  key: Buffer;
}

/**
 * Creates a box.
 * @param masters keys of 32 bytes. The first one encrypts, and all of them decrypt.
 * @param purpose keeps the keys of different uses apart
 */
export function secretBox(masters: readonly Uint8Array[], purpose: string): SecretBox {
  const keys = masters.map((master): NamedKey => {
    const key = Buffer.from(hkdfSync('sha256', master, '', `territory: ${purpose}`, 32));
    return { key, name: createHash('sha256').update(key).digest('hex').slice(0, 8) };
  });
  const [first] = keys;
  const prefix = first ? `${VERSION}.${first.name}.` : '';
  return {
    prefix,
    seal(secret, owner) {
      if (first) return prefix + encrypt(first.key, secret, owner);
      return isSealed(secret) || secret.startsWith(PLAIN) ? PLAIN + secret : secret;
    },
    open(stored, owner) {
      if (stored.startsWith(PLAIN)) return stored.slice(PLAIN.length);
      if (!isSealed(stored)) return stored;
      const [, name, iv, text] = stored.split('.');
      const named = keys.find((one) => one.name === name);
      if (!named) throw missingKey();
      return decrypt(named.key, iv!, text!, owner);
    },
  };
}

/** Whether a stored secret is encrypted */
export const isSealed = (stored: string) => stored.startsWith(`${VERSION}.`);

function encrypt(key: Buffer, secret: string, owner: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
  const text = [cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return [iv, Buffer.concat(text)].map((part) => part.toString('base64url')).join('.');
}

function decrypt(key: Buffer, iv: string, text: string, owner: string): string {
  const bytes = Buffer.from(text, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return (
      decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  } catch (cause) {
    throw new Error('A stored secret was changed, or belongs to another row.', { cause });
  }
}

const missingKey = () =>
  new Error('SECRET_KEY lacks the key of a stored secret. `territory-admin doctor` counts them.');
