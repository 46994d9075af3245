/** The report on a checked file, from which its ZIP codes are sent to review. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { requireAccess, requireChange } from '../../../../../account/access.ts';
import { badRequest } from '../../../../../errors.ts';
import { checkImport } from '../../../../../territory/import/check.ts';
import { importZips } from '../../../../../territory/import/import.ts';
import {
  readReport,
  readReportCsv,
  readReportFile,
} from '../../../../../territory/import/reports.ts';
import { attachment, type MemberData } from '../../../../framework/data.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import type { Page } from '../../../../framework/page.ts';
import { CSV } from '../../../../media-types.ts';
import { checkedRemark } from '../change-fields.ts';
import { loadBrand } from '../load-brand.ts';
import {
  REPORT_COLUMN_PATH,
  REPORT_CSV_PATH,
  REPORT_PATH,
  reportAddress,
  reportPage,
  transferAddress,
} from './view.ts';

export const importReportRoute: Page<'account'> = {
  audience: 'account',
  path: REPORT_PATH,
  async show(visit, form) {
    const { caller, links, params } = visit;
    const brand = await loadBrand(visit);
    const id = params.report!;
    const summary = await readReport(caller.tenant, brand, id);
    return reportPage({ brand, form, id, summary }, links);
  },
  forms: [
    {
      async submit(visit, fields) {
        const { tenant, actor } = visit.caller;
        requireChange(visit.caller);
        const brand = await loadBrand(visit);
        const { note } = checkedFields({ note: () => checkedRemark(fields.get('note')) });
        const { zips, guesses } = await readReport(tenant, brand, visit.params.report!);
        const chosen = fields.get('guessed') === 'yes' ? [...zips, ...guesses] : zips;
        if (chosen.length === 0) {
          throw badRequest('No ZIP codes are selected. Select the guessed ones to import them.');
        }
        const queued = await importZips(tenant, actor, brand, { zips: chosen, note });
        return { to: transferAddress(brand), notice: queued > 0 ? 'zips-requested' : 'zips-held' };
      },
    },
    {
      path: REPORT_COLUMN_PATH,
      limit: 'map-image',
      async submit(visit, fields) {
        const { tenant, brandScope } = visit.caller;
        requireChange(visit.caller);
        const brand = await loadBrand(visit);
        const bytes = await readReportFile(tenant, brand, visit.params.report!);
        const column = fields.get('column');
        if (bytes === null || !column) throw badRequest('Choose a column of the table.');
        const report = await checkImport(tenant, brand, { bytes, column }, brandScope);
        return { to: reportAddress(brand, report) };
      },
    },
  ],
};

export const importReportCsv: MemberData = {
  audience: 'member',
  path: REPORT_CSV_PATH,
  type: CSV,
  limit: 'map-image',
  async answer(visit) {
    requireAccess(visit.caller);
    const brand = await loadBrand(visit);
    const csv = await readReportCsv(visit.caller.tenant, brand, visit.params.report!);
    return {
      body: await promisify(gunzip)(csv),
      headers: attachment(CSV, `${brand.slug}-import-report.csv`),
    };
  },
};
