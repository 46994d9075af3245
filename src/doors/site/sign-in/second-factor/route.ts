/** The second step of signing in, for people with a second factor. */
import { personByPasskey, requestOptions } from '../../../../people/account/passkeys.ts';
import { isSecondFactor, secondFactorsOf } from '../../../../people/account/second-factor.ts';
import { endSession, unfinishedSignIn } from '../../../../people/account/sessions.ts';
import type { UnfinishedSignIn } from '../../../../people/account/sessions.ts';
import { badRequest } from '../../../../errors.ts';
import { countAttempt } from '../../entrance/count-attempt.ts';
import { finishSignIn, pathAfterSignIn, SECOND_STEP_PATH } from '../../entrance/start-session.ts';
import type { Page } from '../../framework/page.ts';
import type { Visit } from '../../framework/visit.ts';
import { PASSKEY_FIELD } from '../../passkey-button.ts';
import { secondStepPage } from './view.ts';

const startedBy = ({ db, cookie, headers }: Visit): Promise<UnfinishedSignIn | null> =>
  unfinishedSignIn(db, cookie.read(headers));

export const secondStepRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: SECOND_STEP_PATH,
  async show(visit, form) {
    const { db, roots, query, links } = visit;
    const started = await startedBy(visit);
    if (!started) return secondStepPage(null, links);
    const { appSince, passkeys } = await secondFactorsOf(db, started.person.id);
    const passkey =
      passkeys.length > 0 ? await requestOptions(db, roots().site, started.person.id) : null;
    return secondStepPage({ query, form, hasApp: appSince !== null, passkey }, links);
  },
  forms: [
    {
      async submit(visit, fields) {
        const started = await startedBy(visit);
        if (!started) throw badRequest('This sign-in is no longer valid. Sign in again.');
        const { id, person, organizationId } = started;
        await countAttempt(visit, person.email, 'factor');
        await checkFactor(visit, person.id, fields);
        await endSession(visit.db, person.id, id);
        return finishSignIn(visit, person.id, {
          to: pathAfterSignIn(fields.get('next')),
          organizationId: organizationId ?? undefined,
        });
      },
    },
  ],
};

/** @throws ServiceError 400 if neither the passkey nor the code is right */
async function checkFactor(visit: Visit, personId: string, fields: URLSearchParams): Promise<void> {
  const { db, roots } = visit;
  const response = fields.get(PASSKEY_FIELD);
  if (response) {
    await personByPasskey(db, roots().site, personId, response);
    return;
  }
  if (await isSecondFactor(db, personId, fields.get('code') ?? '', visit)) return;
  throw badRequest(
    'This code is wrong or was used before. Enter the code that your app shows now, or an unused ' +
      'recovery code.',
  );
}
