import { changeRefusal, refusalOf } from '../../../account/access.ts';
import { MAX_BYTES } from '../../../own-data/import/read-upload.ts';
import { dataLimitsOf, rowsUsed } from '../../../own-data/limits.ts';
import { requireAllData, visibleDataSets } from '../../../own-data/viewer-data.ts';
import type { Page } from '../../framework/page.ts';
import { dataPage, DATA_PATH } from './view.ts';

export const dataRoute: Page<'account'> = {
  audience: 'account',
  path: DATA_PATH,
  async show({ caller, geocodes, links }) {
    const [sets, used] = await Promise.all([visibleDataSets(caller), rowsUsed(caller.tenant)]);
    const limits = dataLimitsOf(caller.plan);
    const refusal = changeRefusal(caller) ?? refusalOf(() => requireAllData(caller));
    const upload = { maxBytes: MAX_BYTES, geocodes, organization: caller.organization.id };
    return dataPage({ sets, limits, rowsUsed: used, refusal, upload }, links);
  },
};
