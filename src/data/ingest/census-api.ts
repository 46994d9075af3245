/**
 * Downloads ACS tables from the Census API, one per request:
 * `{base}/{year}/acs/acs5?get=NAME,B19013_001E,…&for=zip code tabulation area:*`. Source: Census Bureau,
 * "Census Data API User Guide".
 */
import { ImportError } from '../../errors.ts';
import { asRows, readAcsRows, type AcsFile } from './acs-file.ts';
import { ACS_TABLES, variableName } from './acs-tables.ts';
import type { Progress } from './progress.ts';
import type { Findings } from './report.ts';
import { isTemporaryStatus, RETRIES, retrying, TemporaryFailure } from './retry.ts';

export interface CensusApi {
  /** Without a trailing slash */
  url: string;
  /** Without a key, the Census Bureau allows 500 requests per day and IP address */
  key: string | undefined;
  /** Pause before the second attempt; doubles with each further attempt */
  retryAfterMs?: number;
  timeoutMs?: number;
}

const TIMEOUT_MS = 120_000;

/**
 * Downloads all tables that the signals need. A table that isn't available for the vintage is noted and
 * skipped. Any other failure aborts the download before anything has changed.
 * @throws ImportError with the API's response
 */
export async function downloadAcs(
  api: CensusApi,
  year: number,
  findings: Findings,
  progress: Progress,
): Promise<AcsFile[]> {
  const files: AcsFile[] = [];
  const tables = Object.keys(ACS_TABLES);
  for (const [i, table] of tables.entries()) {
    progress(`Downloading ${table} of ${year}`, i, tables.length);
    const rows = await fetchTable(api, year, table);
    if (rows) files.push(await readAcsRows(`${table} of ${year}`, rows, findings, year));
    else findings.note(`${table}: not available for ${year}`);
  }
  if (files.length === 0) {
    throw new ImportError(
      `There are no ACS 5-Year tables for ${year}. Choose a year from 2009 on.`,
    );
  }
  return files;
}

async function fetchTable(
  api: CensusApi,
  year: number,
  table: string,
): Promise<unknown[][] | null> {
  const url = new URL(`${api.url}/${year}/acs/acs5`);
  url.searchParams.set('get', ['NAME', ...variables(table)].join(','));
  url.searchParams.set('for', 'zip code tabulation area:*');
  if (api.key) url.searchParams.set('key', api.key);

  try {
    return await retrying(() => requestTable(api, url, table), {
      ...RETRIES,
      pauseMs: api.retryAfterMs ?? RETRIES.pauseMs,
    });
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `${table} of ${year}: the Census API ${(error as Error).message}. Nothing was changed. Try again later.`,
      { cause: error },
    );
  }
}

/** Returns null if the table isn't available. */
async function requestTable(api: CensusApi, url: URL, table: string): Promise<unknown[][] | null> {
  let status: number;
  let body: string;
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(api.timeoutMs ?? TIMEOUT_MS),
      redirect: 'manual',
    });
    status = response.status;
    body = await response.text();
  } catch (error) {
    // The cause would reveal the address, which contains the key.
    throw new TemporaryFailure(`can’t be reached (${(error as Error).name})`);
  }
  if (status === 404 || (status === 400 && /unknown variable|unknown\/unsupported/.test(body))) {
    return null;
  }
  if (isKeyProblem(status, body)) {
    throw new ImportError(
      `The Census API ${api.key ? 'rejected the key in CENSUS_API_KEY. Check it or get a new one' : 'requires a key. Set CENSUS_API_KEY'} ` +
        '(free at https://api.census.gov/data/key_signup.html).',
    );
  }
  if (status !== 200) {
    const problem = `returned status ${status}`;
    throw isTemporaryStatus(status) ? new TemporaryFailure(problem) : new Error(problem);
  }
  try {
    return asRows(table, JSON.parse(body) as unknown);
  } catch {
    throw new TemporaryFailure('sent an incomplete or unexpected response');
  }
}

/** Estimates and their margins of error, at most 22: the API refuses more than 50. */
const variables = (table: string): string[] =>
  ACS_TABLES[table]!.flatMap((line) => ['E', 'M'].map((kind) => variableName(table, line, kind)));

/**
 * The API reports a missing or wrong key with an HTML page, either with status 200 or through a redirect.
 */
function isKeyProblem(status: number, body: string): boolean {
  return (
    (status >= 300 && status < 400) || status === 401 || /<title>.*key.*<\/title>/is.test(body)
  );
}
