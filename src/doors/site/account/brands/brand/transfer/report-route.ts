/** The report on a checked file, from which its ZIP codes are sent to review. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { needsNoReview } from '../../../../../../people/account/review-settings.ts';
import { badRequest } from '../../../../../../errors.ts';
import { checkImport } from '../../../../../../territories/brands/import/check.ts';
import { importZips } from '../../../../../../territories/brands/import/import.ts';
import {
  readReport,
  readReportCsv,
  readReportFile,
} from '../../../../../../territories/brands/import/reports.ts';
import { attachment, type MemberData } from '../../../../framework/data.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import type { Page } from '../../../../framework/page.ts';
import { CSV } from '../../../../media-types.ts';
import { checkedRemark } from '../change-fields.ts';
import { loadBrand } from '../load-brand.ts';
import {
  REPORT_CHOICE_PATH,
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
    const [summary, goesLive] = await Promise.all([
      readReport(caller.tenant, brand, id),
      needsNoReview(caller.tenant, caller.actor),
    ]);
    return reportPage({ brand, form, id, summary, goesLive }, links);
  },
  forms: [
    {
      needs: 'writer',
      async submit(visit, fields) {
        const { tenant, actor } = visit.caller;
        const brand = await loadBrand(visit);
        const { note } = checkedFields({ note: () => checkedRemark(fields.get('note')) });
        const { zips, guesses } = await readReport(tenant, brand, visit.params.report!);
        const chosen = fields.get('guessed') === 'yes' ? [...zips, ...guesses] : zips;
        if (chosen.length === 0) {
          throw badRequest('No ZIP codes are selected. Select the guessed ones to import them.');
        }
        const { queued, live } = await importZips(tenant, actor, brand, { zips: chosen, note });
        const requested = live > 0 ? 'zips-live' : 'zips-requested';
        return { to: transferAddress(brand), notice: queued > 0 ? requested : 'zips-held' };
      },
    },
    {
      path: REPORT_CHOICE_PATH,
      limit: 'map-image',
      needs: 'writer',
      async submit(visit, fields) {
        const { tenant } = visit.caller;
        const brand = await loadBrand(visit);
        const bytes = await readReportFile(tenant, brand, visit.params.report!);
        const [sheet, column] = [fields.get('sheet'), fields.get('column')];
        if (bytes === null || !(sheet ?? column)) {
          throw badRequest('Choose a sheet or a column of the file.');
        }
        const { sheets } = await readReport(tenant, brand, visit.params.report!);
        // The columns are those of the sheet that was read.
        const isOther = sheet !== null && sheet !== sheets?.[0];
        const file = {
          bytes,
          sheet: sheet ?? undefined,
          column: (!isOther && column) || undefined,
        };
        const report = await checkImport(tenant, brand, file);
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
  needs: 'reader',
  async answer(visit) {
    const brand = await loadBrand(visit);
    const csv = await readReportCsv(visit.caller.tenant, brand, visit.params.report!);
    return {
      body: await promisify(gunzip)(csv),
      headers: attachment(CSV, `${brand.slug}-import-report.csv`),
    };
  },
};
