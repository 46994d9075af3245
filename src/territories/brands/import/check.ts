/** Checks an uploaded file, which a thread reads. */
import type { TenantDatabase } from '../../../people/account/tenant.ts';
import { badRequest, ServiceError } from '../../../errors.ts';
import { compiledModule } from '../../../base/workers/compiled-module.ts';
import { JobKind } from '../../../base/workers/once.ts';
import { answerCalls, type Call } from '../../../base/workers/serve.ts';
import type { Brand } from '../brands.ts';
import type { ImportLookUps } from './look-ups.ts';
import { matchAreas } from './match-areas.ts';
import { saveReport } from './reports.ts';
import type { ImportFile } from './read-file.ts';
import type { CheckedFile } from './worker.ts';
import { readZipStates, zipsInRanges } from './zip-states.ts';

const files = new JobKind<ImportFile, CheckedFile, Call>({
  module: compiledModule('territories/brands/import/worker.ts'),
  // The largest files take half of it.
  megabytes: 832,
  // Matching areas alone may take 20 s.
  deadlineMs: 60_000,
  busy: 'Many files are being checked right now. Try again in a minute.',
  exceeded: (what, cause) =>
    badRequest(`The file takes too much ${what} to read. Simplify it or split it up.`, { cause }),
  refusals: { ServiceError },
});

/**
 * Stores a report on what importing a file would do for a brand, without changing anything else.
 * Everyone with access to the brand can read it, so it names no other brand.
 * @returns the report's id
 * @throws ServiceError 400 for any other file, or one that is too large; 503 while too many files wait
 */
export async function checkImport(
  tenant: TenantDatabase,
  brand: Brand,
  file: ImportFile,
): Promise<string> {
  const answer = answerCalls(lookUpsOf(tenant, brand));
  const checked = await files.run((turn) => turn.inThread(file, answer));
  return saveReport(tenant, brand, checked, file.bytes);
}

export const lookUpsOf = (tenant: TenantDatabase, brand: Brand): ImportLookUps => ({
  matchAreas: (areas) => matchAreas(tenant, areas),
  readZipStates: (zips) => readZipStates(tenant, brand, zips),
  zipsInRanges: (ranges) => zipsInRanges(tenant, ranges),
});
