/** What people may call themselves and their things. */
import { z } from 'zod';
import { badRequest } from '../errors.ts';

const MAX_LENGTH = 120;
/** RFC 5321, 4.5.3.1.3 */
const MAX_EMAIL_LENGTH = 254;

/**
 * Without spaces around it.
 * @param what of which it is the name: "An organisation"
 * @throws ServiceError 400 where it is empty, too long, or would command a terminal
 */
export function checkedName(what: string, text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= MAX_LENGTH && !/\p{Cc}/u.test(name)) return name;
  throw badRequest(
    `${what} needs a name of 1 to ${MAX_LENGTH} characters, without control characters.`,
  );
}

/** As typed, without spaces around it: nobody has two accounts that differ by case. */
export function checkedEmail(text: string): string {
  const email = text.trim();
  if (email.length <= MAX_EMAIL_LENGTH && z.email().safeParse(email).success) return email;
  throw badRequest(`"${email}" is no e-mail address such as pat@example.com.`);
}
