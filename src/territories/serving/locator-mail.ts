/** The form of people who want to buy a franchise. It goes to the organization by email and is stored nowhere else. */
import type { Letter } from '../../people/mail/letter.ts';
import { queueMail } from '../../people/mail/outbox.ts';
import type { Writers } from '../../people/mail/sender.ts';
import type { Database } from '../../base/db/database.ts';
import { notFound, unavailable } from '../../errors.ts';
import { EMAIL } from '../../people/account/names.ts';
import type { Limiter } from '../../people/metering/limiter.ts';
import { countForm } from './locator-limits.ts';
import { SENTENCES } from './locator-sentences.ts';
import type { Language } from './locator-words.ts';
import { NO_SUCH_LOCATOR, type OpenLocator } from './locators.ts';

export const MAX_MESSAGE_LENGTH = 2_000;

/** A form whose fields were checked */
export interface CandidateForm {
  name: string;
  email: string;
  phone: string;
  message: string;
  /** The area that the person asked about; empty if none */
  zip: string;
}

export type CandidateField = Exclude<keyof CandidateForm, 'zip'>;

/** Returns the problems of a form by field, in the visitor's language. */
export function candidateProblems(
  { name, email, phone, message }: CandidateForm,
  language: Language,
): Partial<Record<CandidateField, string>> {
  const sentences = SENTENCES[language].candidates;
  const isName = name !== '' && name.length <= 120 && !/\p{Cc}/u.test(name);
  return {
    ...(!isName && { name: sentences.nameProblem }),
    ...(!(email.length <= 254 && EMAIL.test(email)) && { email: sentences.emailProblem }),
    ...(!PHONE.test(phone) && { phone: sentences.phoneProblem }),
    ...(message.length > MAX_MESSAGE_LENGTH && {
      message: sentences.messageProblem(MAX_MESSAGE_LENGTH),
    }),
  };
}

const PHONE = /^[\da-z ()+./,#*-]{0,40}$/i;

const CANDIDATE_MAIL = 'locator-candidate';

/** An organization that gets more forms within an hour is probably flooded. */
const PER_HOUR = 30;
/** After a week without a mail server, the person has probably written elsewhere. */
const HOURS = 7 * 24;

/**
 * Sends the form to the organization.
 * @throws ServiceError 404 unless candidates may ask, TooManyRequests, 503 if too many messages are waiting
 */
export async function sendCandidate(
  { db, limiter }: { db: Database; limiter: Limiter },
  open: OpenLocator,
  form: CandidateForm,
  client: string,
): Promise<void> {
  const { candidateEmail, title } = open.locator;
  if (candidateEmail === null) throw notFound(NO_SUCH_LOCATOR);
  await countForm({ limiter, client }, open);
  const isQueued = await queueMail(db, {
    kind: CANDIDATE_MAIL,
    recipient: candidateEmail,
    data: { ...form, locator: title, organization: open.organization } satisfies CandidateMail,
    hours: HOURS,
    perHour: PER_HOUR,
    fromStranger: true,
  });
  if (!isQueued) throw unavailable('The message can’t be sent right now. Try again in an hour.');
}

interface CandidateMail extends CandidateForm {
  locator: string;
  organization: string;
}

/** @param page returns the URL of a page from its path */
export const candidateWriters = (page: (path: string) => string): Writers => ({
  async [CANDIDATE_MAIL](recipient, data) {
    return {
      recipient,
      letter: candidateLetter(data as unknown as CandidateMail, page('/account/locators')),
    };
  },
});

function candidateLetter(mail: CandidateMail, url: string): Letter {
  const { name, email, phone, message, zip, locator, organization } = mail;
  return {
    subject:
      zip === '' ? `${name} asks about a franchise` : `${name} asks about a franchise in ${zip}`,
    replyTo: email,
    paragraphs: [
      `${name} filled in the form for candidates of the locator ${locator}.`,
      ...(zip === '' ? [] : [`ZIP code: ${zip}`]),
      `Email: ${email}`,
      ...(phone === '' ? [] : [`Phone: ${phone}`]),
      ...(message === '' ? [] : ['Message:', ...message.split(/\s*\n\s*/)]),
    ],
    link: { label: 'View your locators', url },
    notes: [
      `You get this email because the locator names your address for candidates. ${organization} can change it on the locator’s page. ` +
        'Anyone can fill in the form, so check who writes before you share more than the locator shows.',
    ],
  };
}
