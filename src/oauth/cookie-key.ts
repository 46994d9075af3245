/** The key that signs the cookies of pending consent requests. */
import { randomBytes } from 'node:crypto';
import type { Queryable } from '../db/database.ts';

/** Returns the key, which all processes share. The first process creates it. */
export async function cookieKey(db: Queryable): Promise<string> {
  await db.query('insert into oauth_cookie_key (secret) values ($1) on conflict do nothing', [
    randomBytes(32).toString('base64url'),
  ]);
  const [row] = await db.query<{ secret: string }>('select secret from oauth_cookie_key');
  return row!.secret;
}
