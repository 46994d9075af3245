import { refusalOf, requireChange } from '../../../../account/access.ts';
import type { Caller } from '../../../../account/caller.ts';
import { badRequest } from '../../../../errors.ts';
import { deleteDataSet, restoreUpload } from '../../../../own-data/data-sets.ts';
import { requireAllData, visibleData, visibleUploads } from '../../../../own-data/viewer-data.ts';
import { readWholeNumber } from '../../../../text/whole-number.ts';
import type { Page } from '../../../framework/page.ts';
import { DATA_PATH, DATA_SET_PATH, dataSetAddress } from '../view.ts';
import { dataSetPage, DELETE_PATH, RESTORE_PATH } from './view.ts';

function requireWriter(caller: Caller): void {
  requireChange(caller);
  requireAllData(caller);
}

export const dataSetRoute: Page<'account'> = {
  audience: 'account',
  path: DATA_SET_PATH,
  async show({ caller, params, links }, form) {
    const set = await visibleData(caller, params.dataSet!);
    const uploads = await visibleUploads(caller, set);
    const mayChange = refusalOf(() => requireWriter(caller)) === undefined;
    return dataSetPage({ form, set, uploads, mayChange }, links);
  },
  forms: [
    {
      path: RESTORE_PATH,
      async submit({ caller, params }, fields) {
        requireWriter(caller);
        const upload = readWholeNumber(fields.get('upload') ?? '', 1, 1_000_000_000);
        if (upload === undefined) throw badRequest('Choose an upload to restore.');
        const set = await caller.tenant.transaction((tx) =>
          restoreUpload(tx, params.dataSet!, upload),
        );
        return { to: dataSetAddress(set), notice: 'data-restored' };
      },
    },
    {
      path: DELETE_PATH,
      async submit({ caller, params }) {
        requireWriter(caller);
        await caller.tenant.transaction((tx) => deleteDataSet(tx, params.dataSet!));
        return { to: DATA_PATH, notice: 'data-deleted' };
      },
    },
  ],
};
