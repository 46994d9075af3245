/** Shows a locator, changes and revokes it, and sends the file of ZIP codes that no brand serves. */
import { refusalFor } from '../../../../../people/account/access.ts';
import { csvText } from '../../../../../base/text/csv.ts';
import { countAsked, unservedZips } from '../../../../../territories/serving/locator-questions.ts';
import {
  changeLocator,
  findLocator,
  revokeLocator,
} from '../../../../../territories/serving/locators.ts';
import { requireRights } from '../../../../../people/account/access.ts';
import { attachment, type MemberData } from '../../../framework/data.ts';
import type { Page } from '../../../framework/page.ts';
import { fieldsOf, LOCATOR } from '../fields.ts';
import { LOCATOR_READER, LOCATOR_WRITER, locatorChoices } from '../route.ts';
import { locatorAddress, LOCATOR_PAGE_PATH } from '../view.ts';
import { LOCATOR_FORMS, locatorPage, SHOWN_ZIPS, UNSERVED_CSV_PATH } from './view.ts';

export const locatorRoute: Page<'account'> = {
  audience: 'account',
  path: LOCATOR_PAGE_PATH,
  async show(visit, form) {
    const { caller, params, links, sendsMail } = visit;
    const { tenant } = caller;
    requireRights(caller, LOCATOR_READER);
    const locator = await findLocator(tenant, params.locator!);
    const [asked, unserved, choices] = await Promise.all([
      countAsked(tenant),
      unservedZips(tenant, locator, SHOWN_ZIPS + 1),
      locatorChoices(visit),
    ]);
    const counts = asked.get(locator.id) ?? { asked: 0, unserved: 0 };
    const refusal = refusalFor(caller, LOCATOR_WRITER);
    const content = { form, locator, asked: counts, unserved, sendsMail, refusal, ...choices };
    return locatorPage(content, links);
  },
  forms: [
    {
      path: LOCATOR_FORMS.change,
      ...LOCATOR_WRITER,
      async submit({ caller, params }, fields) {
        const { tenant, actor } = caller;
        const given = fieldsOf(LOCATOR.read(fields));
        const locator = await tenant.transaction((tx) =>
          changeLocator(tx, actor, params.locator!, given),
        );
        return { to: locatorAddress(locator), notice: 'locator-changed' };
      },
    },
    {
      path: LOCATOR_FORMS.revoke,
      ...LOCATOR_WRITER,
      async submit({ caller, params }) {
        const { tenant, actor } = caller;
        const locator = await tenant.transaction((tx) => revokeLocator(tx, actor, params.locator!));
        return { to: locatorAddress(locator), notice: 'locator-revoked' };
      },
    },
  ],
};

const CSV = 'text/csv; charset=utf-8';

export const unservedCsvRoute: MemberData = {
  audience: 'member',
  ...LOCATOR_READER,
  path: UNSERVED_CSV_PATH,
  type: CSV,
  async answer({ caller: { tenant }, params }) {
    const locator = await findLocator(tenant, params.locator!);
    const rows = await unservedZips(tenant, locator);
    const body = csvText(
      ['zip', 'place', 'times', 'last_day'],
      rows.map(({ lastDay, ...row }) => ({ ...row, last_day: lastDay })),
    );
    return { body, headers: attachment(CSV, 'unserved.csv') };
  },
};
