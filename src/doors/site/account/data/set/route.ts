import { isManager, MANAGERS, refusalFor } from '../../../../../people/account/access.ts';
import { badRequest } from '../../../../../errors.ts';
import { brandsInScope } from '../../../../../territories/brands/brands.ts';
import {
  deleteDataSet,
  isWithin,
  restoreUpload,
  setDataSetBrands,
} from '../../../../../territories/own-data/data-sets.ts';
import { visibleData, visibleUploads } from '../../../../../territories/own-data/viewer-data.ts';
import { readWholeNumber } from '../../../../../base/text/whole-number.ts';
import type { Page } from '../../../framework/page.ts';
import { DATA_PATH, DATA_SET_PATH, dataSetAddress } from '../view.ts';
import { DATA_BRANDS, DATA_BRANDS_PATH, dataSetPage, DELETE_PATH, RESTORE_PATH } from './view.ts';

export const dataSetRoute: Page<'account'> = {
  audience: 'account',
  path: DATA_SET_PATH,
  async show({ caller, params, links }, form) {
    const set = await visibleData(caller, params.dataSet!);
    const uploads = await visibleUploads(caller, set);
    const mayChange =
      isWithin(set.brandIds, caller.brandScope) &&
      refusalFor(caller, { needs: 'writer' }) === undefined;
    const brands = await brandsInScope(caller.tenant, caller.brandScope);
    const mayGive = mayChange && isManager(caller);
    return dataSetPage({ form, set, uploads, mayChange, brands, mayGive }, links);
  },
  forms: [
    {
      path: RESTORE_PATH,
      needs: 'writer',
      async submit({ caller, params }, fields) {
        const upload = readWholeNumber(fields.get('upload') ?? '', 1, 1_000_000_000);
        if (upload === undefined) throw badRequest('Choose an upload to restore.');
        const set = await caller.tenant.transaction((tx) =>
          restoreUpload(tx, caller.actor, params.dataSet!, upload, caller.brandScope),
        );
        return { to: dataSetAddress(set), notice: 'data-restored' };
      },
    },
    {
      path: DATA_BRANDS_PATH,
      roles: MANAGERS,
      allBrands: true,
      needs: 'writer',
      async submit({ caller, params }, fields) {
        const { brands } = DATA_BRANDS.read(fields);
        const set = await caller.tenant.transaction((tx) =>
          setDataSetBrands(tx, caller.actor, params.dataSet!, brands),
        );
        return { to: dataSetAddress(set), notice: 'data-brands-changed' };
      },
    },
    {
      path: DELETE_PATH,
      needs: 'writer',
      async submit({ caller, params }) {
        await caller.tenant.transaction((tx) =>
          deleteDataSet(tx, caller.actor, params.dataSet!, caller.brandScope),
        );
        return { to: DATA_PATH, notice: 'data-deleted' };
      },
    },
  ],
};
