import type { Queryable } from '../../../../base/db/database.ts';
import {
  addFactor,
  dropPasskey,
  removeApp,
  replaceRecoveryCodes,
  requiresSecondFactor,
  secondFactorsOf,
  type Factor,
} from '../../../../people/account/second-factor.ts';
import type { FormOutcome, Page } from '../../framework/page.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import { SECOND_FACTOR_PATH } from '../navigation.ts';
import { codesPage, FACTOR_FORMS, factorsPage } from './view.ts';

export const factorsRoute: Page<'account'> = {
  audience: 'account',
  isOwnSignIn: true,
  path: SECOND_FACTOR_PATH,
  opensWithoutFactor: true,
  async show({ db, session, caller, links }, form) {
    const { name } = caller.organization;
    const [factors, isRequired] = await Promise.all([
      secondFactorsOf(db, session.person.id),
      requiresSecondFactor(caller.tenant),
    ]);
    return factorsPage({ form, factors, requiredBy: isRequired ? name : null }, links);
  },
  forms: [
    {
      path: FACTOR_FORMS.removeApp,
      asksPassword: true,
      async submit(visit) {
        await removeApp(visit.db, visit.session.person.id, visit);
        return { to: SECOND_FACTOR_PATH, notice: 'factor-removed' };
      },
    },
    {
      path: FACTOR_FORMS.removePasskey,
      asksPassword: true,
      async submit(visit, fields) {
        const id = fields.get('passkey') ?? '';
        await dropPasskey(visit.db, visit.session.person.id, id, visit);
        return { to: SECOND_FACTOR_PATH, notice: 'factor-removed' };
      },
    },
    {
      path: FACTOR_FORMS.newCodes,
      asksPassword: true,
      async submit(visit) {
        const codes = await replaceRecoveryCodes(visit.db, visit.session.person.id, visit);
        return { page: codesPage(codes, visit.links) };
      },
    },
  ],
};

/** Adds a factor. If it is the first one, shows recovery codes. */
export async function showAdded(
  visit: MemberVisit,
  added: Factor,
  store: (tx: Queryable) => Promise<void>,
): Promise<FormOutcome<'account'>> {
  const { db, session, links } = visit;
  const codes = await addFactor(db, session.person.id, added, store, visit);
  return codes
    ? { page: codesPage(codes, links) }
    : { to: SECOND_FACTOR_PATH, notice: 'factor-added' };
}
