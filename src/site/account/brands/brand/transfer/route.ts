/** A brand's territory to be taken away as files, and brought in from one. */
import { z } from 'zod';
import { remark } from '../../../../../agent/fields.ts';
import { badRequest } from '../../../../../errors.ts';
import {
  IMPORT_PATH,
  CHECK_PATH,
  LARGEST_FILE_MB,
  REPORT_PATH,
  transferPage,
  transferAddress,
  TRANSFER_PATH,
  type TransferContent,
} from './view.ts';
import { FormState } from '../../../../form-state.ts';
import { brandNamed } from '../../../../../territory/brands.ts';
import { OUTCOMES, PLACES } from '../../../../../territory/import/finding.ts';
import { importZips, readImport } from '../../../../../territory/import/import.ts';
import { reportCsv } from '../../../../../territory/import/report-csv.ts';
import { heldZipStatuses } from '../../../../../territory/brand-zips.ts';
import type { MemberData } from '../../../../framework/data.ts';
import { changeHindrance, requireChange } from '../../../../../account/may-change.ts';
import type { PersonPage } from '../../../../framework/page.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import { residentOf } from '../../../viewer.ts';
import type { MemberVisit, PeopleParts } from '../../../../framework/visit.ts';

const MB = 1024 * 1024;
/** 50,000 lines with all that was found; as JSON, the beginning of a line may be six times as long. */
const REPORT_MB = 40;

export function transfer({ db }: PeopleParts): PersonPage<MemberVisit> {
  const show = async (
    visit: MemberVisit,
    form: FormState,
    checked?: TransferContent['checked'],
  ) => {
    const { caller, params, links } = visit;
    const { tenant, brandScope } = caller;
    const brand = await brandNamed(tenant, brandScope, params.brand!);
    const [common, held] = await Promise.all([
      residentOf(db, visit),
      heldZipStatuses(tenant, brand),
    ]);
    const hindrance = changeHindrance(caller);
    return transferPage(
      { ...common, form, brand, held: held.size, hindrance, ...(checked && { checked }) },
      links,
    );
  };
  return {
    path: TRANSFER_PATH,
    show,
    forms: [
      {
        path: CHECK_PATH,
        uploadBytes: LARGEST_FILE_MB * MB,
        limit: 'map-image',
        submit: async (visit, fields) => {
          const { caller, params } = visit;
          requireChange(caller);
          const brand = await brandNamed(caller.tenant, caller.brandScope, params.brand!);
          const report = await readImport(caller.tenant, brand, givenText(fields));
          return { page: await show(visit, FormState.EMPTY, report) };
        },
      },
      {
        path: IMPORT_PATH,
        submit: async ({ caller, params }, fields) => {
          requireChange(caller);
          const { tenant, brandScope, actor } = caller;
          const brand = await brandNamed(tenant, brandScope, params.brand!);
          const { note } = checkedFields({ note: () => checkedNote(fields.get('note') ?? '') });
          const withGuesses = fields.get('guessed') === 'yes';
          const zips = [
            ...zipsIn(fields.get('zips')),
            ...(withGuesses ? zipsIn(fields.get('guesses')) : []),
          ];
          if (zips.length === 0) throw badRequest('No ZIP codes were chosen: tick the guesses.');
          const queued = await importZips(tenant, actor, brand, { zips, note });
          return { to: transferAddress(brand), notice: queued > 0 ? 'zips-sent' : 'zips-held' };
        },
      },
    ],
  };
}

/** The report of a check, as the page that showed it sends it back: nothing of it is kept here. */
export const importReport = (): MemberData => ({
  method: 'post',
  path: REPORT_PATH,
  type: CSV,
  uploadBytes: REPORT_MB * MB,
  limit: 'map-image',
  async answer({ caller, params }, fields) {
    const brand = await brandNamed(caller.tenant, caller.brandScope, params.brand!);
    const report = Report.safeParse(jsonOr(fields.get('report') ?? '', null));
    if (!report.success) throw badRequest('This is no report of an import: check the file again.');
    return {
      body: reportCsv(report.data.place, report.data.findings),
      headers: {
        'Content-Type': CSV,
        'Content-Disposition': `attachment; filename="${brand.slug}-import-report.csv"`,
      },
    };
  },
});

const CSV = 'text/csv; charset=utf-8';

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

function jsonOr(text: string, otherwise: null): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Of a file, or pasted. */
function givenText(fields: URLSearchParams): string {
  const [file = '', list = ''] = ['file', 'list'].map((name) => fields.get(name) ?? '');
  const [hasFile, hasList] = [file, list].map((text) => text.trim() !== '');
  if (hasFile && hasList) throw badRequest('Choose a file or paste a list: one of the two.');
  if (hasFile || hasList) return hasFile ? file : list;
  throw badRequest('Choose a file or paste a list: there is nothing to check yet.');
}

const zipsIn = (text: string | null) => text?.match(/[^\s]+/g) ?? [];

/** Why the ZIPs are asked for, for the reviewer; left empty: nothing. */
function checkedNote(given: string): string | undefined {
  const note = remark.safeParse(given);
  if (!note.success) throw badRequest('A note has at most 500 characters.');
  return note.data === '' ? undefined : note.data;
}
