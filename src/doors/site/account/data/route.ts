import { refusalFor } from '../../../../people/account/access.ts';
import { MAX_BYTES } from '../../../../territories/own-data/import/read-upload.ts';
import { dataLimitsOf, rowsUsed } from '../../../../territories/own-data/limits.ts';
import { visibleDataSets } from '../../../../territories/own-data/viewer-data.ts';
import type { Page } from '../../framework/page.ts';
import { dataPage, DATA_PATH } from './view.ts';

export const dataRoute: Page<'account'> = {
  audience: 'account',
  path: DATA_PATH,
  async show({ caller, geocoder, links }) {
    const [sets, used] = await Promise.all([visibleDataSets(caller), rowsUsed(caller.tenant)]);
    const limits = dataLimitsOf(caller.subscription);
    const refusal = refusalFor(caller, { needs: 'writer' });
    const geocodes = geocoder !== undefined;
    const upload = { maxBytes: MAX_BYTES, geocodes, organization: caller.organization.id };
    return dataPage({ sets, limits, rowsUsed: used, refusal, upload }, links);
  },
};
