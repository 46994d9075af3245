/** The secret by which cookies are signed while somebody is asked for their consent. */
import { randomBytes } from 'node:crypto';
import type { Queryable } from '../db/database.ts';

/** Made by whoever is first; the same for all processes, and after a restart. */
export async function cookieKey(db: Queryable): Promise<string> {
  await db.query('insert into oauth_cookie_key (secret) values ($1) on conflict do nothing', [
    randomBytes(32).toString('base64url'),
  ]);
  const [row] = await db.query<{ secret: string }>('select secret from oauth_cookie_key');
  return row!.secret;
}
