/** Exports a brand's territory, and checks a file of ZIP codes to import. */
import { IMPORT_FILE_MB } from '../../../../../../base/contract/bounds.ts';
import { WRITER, refusalFor } from '../../../../../../people/account/access.ts';
import { badRequest } from '../../../../../../errors.ts';
import type { FormFields } from '../../../../../http/requests/form-fields.ts';
import { checkImport } from '../../../../../../territories/brands/import/check.ts';
import type { Page } from '../../../../framework/page.ts';
import { PAST_REFUSAL, readDay } from '../../../over-time/day-form.ts';
import { loadBrand } from '../load-brand.ts';
import { exportOffer } from './export-offer.ts';
import { CHECK_PATH, reportAddress, TRANSFER_PATH, transferPage } from './view.ts';

const MB = 1024 * 1024;

export const transferRoute: Page<'account'> = {
  audience: 'account',
  path: TRANSFER_PATH,
  async show(visit, form) {
    const { query, links } = visit;
    const { caller, shown } = await readDay(visit.caller, query);
    const brand = await loadBrand(visit);
    const exported = await exportOffer(caller, brand);
    const format = query.get('format');
    const refusal = shown.words === null ? refusalFor(caller, WRITER) : PAST_REFUSAL;
    return transferPage({ form, brand, exported, format, refusal, shown }, links);
  },
  forms: [
    {
      path: CHECK_PATH,
      uploadBytes: IMPORT_FILE_MB * MB,
      limit: 'map-image',
      needs: 'writer',
      async submit(visit, fields) {
        const { caller } = visit;
        const brand = await loadBrand(visit);
        const id = await checkImport(caller.tenant, brand, { bytes: fileOrList(fields) });
        return { to: reportAddress(brand, id) };
      },
    },
  ],
};

/** Returns the uploaded file or the pasted list. Browsers send an empty file if none was chosen. */
function fileOrList(fields: FormFields): Uint8Array {
  const file = fields.files.get('file') ?? Buffer.from(fields.get('file') ?? '');
  const list = fields.get('list') ?? '';
  const [hasFile, hasList] = [file.length > 0, /\S/.test(list)];
  if (hasFile && hasList) throw badRequest('Choose a file or paste a list, not both.');
  if (hasFile) return file;
  if (hasList) return Buffer.from(list);
  throw badRequest('Choose a file or paste a list.');
}
