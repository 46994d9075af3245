/** Exporting a brand's territory, and importing ZIP codes from files. */
import { z } from 'zod';
import { changeRefusal, requireChange } from '../../../../../account/access.ts';
import { badRequest } from '../../../../../errors.ts';
import { OUTCOMES, PLACES } from '../../../../../territory/import/finding.ts';
import {
  importZips,
  readImport,
  type ImportReport,
} from '../../../../../territory/import/import.ts';
import { reportCsv } from '../../../../../territory/import/report-csv.ts';
import { FormState } from '../../../../form-state.ts';
import { attachment, type MemberData } from '../../../../framework/data.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import type { Page } from '../../../../framework/page.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';
import { CSV } from '../../../../media-types.ts';
import type { AccountContent } from '../../../frame.ts';
import { checkedRemark } from '../change-fields.ts';
import { loadBrand } from '../load-brand.ts';
import { exportOffer } from './export-offer.ts';
import {
  CHECK_PATH,
  IMPORT_PATH,
  MAX_FILE_MB,
  REPORT_PATH,
  TRANSFER_PATH,
  transferAddress,
  transferPage,
} from './view.ts';

const MB = 1024 * 1024;
/** Enough for 50,000 findings: as JSON, the quoted start of a line can be six times as long. */
const MAX_REPORT_MB = 40;

async function show(
  visit: MemberVisit,
  form: FormState,
  checked?: ImportReport,
): Promise<AccountContent> {
  const { caller, links } = visit;
  const brand = await loadBrand(visit);
  const exported = await exportOffer(caller, brand);
  return transferPage({ form, brand, exported, refusal: changeRefusal(caller), checked }, links);
}

export const transferRoute: Page<'account'> = {
  audience: 'account',
  path: TRANSFER_PATH,
  show,
  forms: [
    {
      path: CHECK_PATH,
      uploadBytes: MAX_FILE_MB * MB,
      limit: 'map-image',
      async submit(visit, fields) {
        const { caller } = visit;
        requireChange(caller);
        const brand = await loadBrand(visit);
        const report = await readImport(caller.tenant, brand, readFileOrList(fields));
        return { page: await show(visit, FormState.EMPTY, report) };
      },
    },
    {
      path: IMPORT_PATH,
      async submit(visit, fields) {
        const { tenant, actor } = visit.caller;
        requireChange(visit.caller);
        const brand = await loadBrand(visit);
        const { note } = checkedFields({ note: () => checkedRemark(fields.get('note')) });
        const withGuesses = fields.get('guessed') === 'yes';
        const zips = [
          ...splitZips(fields.get('zips')),
          ...(withGuesses ? splitZips(fields.get('guesses')) : []),
        ];
        if (zips.length === 0) {
          throw badRequest('No ZIP codes are selected. Select the guessed ones to import them.');
        }
        const queued = await importZips(tenant, actor, brand, { zips, note });
        return { to: transferAddress(brand), notice: queued > 0 ? 'zips-requested' : 'zips-held' };
      },
    },
  ],
};

/** The page that shows a report sends it back here: the server doesn't store reports. */
export const importReportRoute: MemberData = {
  audience: 'member',
  method: 'post',
  path: REPORT_PATH,
  type: CSV,
  uploadBytes: MAX_REPORT_MB * MB,
  limit: 'map-image',
  async answer(visit, fields) {
    const brand = await loadBrand(visit);
    const sent = Report.safeParse(parseJson(fields.get('report') ?? ''));
    if (!sent.success) throw badRequest('This is not an import report. Check the file again.');
    return {
      body: reportCsv(sent.data.place, sent.data.findings),
      headers: attachment(CSV, `${brand.slug}-import-report.csv`),
    };
  },
};

const Report = z.object({
  place: z.enum(PLACES),
  findings: z.array(
    z.object({
      at: z.int(),
      given: z.string(),
      zip: z.string().nullable(),
      outcome: z.enum(OUTCOMES),
      reason: z.string().nullable(),
    }),
  ),
});

/** @returns null if the text is not valid JSON */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The text of the uploaded file or of the pasted list */
function readFileOrList(fields: URLSearchParams): string {
  const [file = '', list = ''] = ['file', 'list'].map((name) => fields.get(name) ?? '');
  const [hasFile, hasList] = [file, list].map((text) => text.trim() !== '');
  if (hasFile && hasList) throw badRequest('Choose a file or paste a list, not both.');
  if (hasFile || hasList) return hasFile ? file : list;
  throw badRequest('Choose a file or paste a list.');
}

const splitZips = (text: string | null) => text?.match(/[^\s]+/g) ?? [];
