import { createHash } from 'node:crypto';

/**
 * The SHA-256 of generated data. Tests compare it with a stored one, which is stricter than generating
 * twice and takes half of the time. After an intended change, store the new one.
 */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');
