/**
 * Fetches the ACS tables from the Census API, one request a table:
 * `{base}/{year}/acs/acs5?get=NAME,B19013_001E,…&for=zip code tabulation area:*`.
 * Source: Census Bureau, "Census Data API User Guide".
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ImportError } from '../errors.ts';
import { asRows, readAcsRows, type AcsFile } from './acs-file.ts';
import { ACS_TABLES, TABLES_WITH_MARGIN } from './acs-tables.ts';
import type { Progress } from './progress.ts';
import type { Findings } from './report.ts';

export interface CensusApi {
  /** Without a slash at the end */
  url: string;
  /** Without one the census allows 500 requests a day from an address */
  key: string | undefined;
  /** Pause before the second try; it doubles with each further one */
  retryAfterMs?: number;
  timeoutMs?: number;
}

const TRIES = 4;
const RETRY_AFTER_MS = 2_000;
const TIMEOUT_MS = 120_000;

/**
 * Downloads every table that the signals need. A table that the vintage does not have is noted and
 * left out; anything else that fails ends the download, and nothing has been changed.
 * @throws ImportError that says what the census answered
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
    else findings.note(`${table}: the census does not have it for ${year}`);
  }
  if (files.length === 0) {
    throw new ImportError(
      `The census has no ACS 5-Year tables for ${year} (they begin with 2009).`,
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

  let problem = '';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await delay((api.retryAfterMs ?? RETRY_AFTER_MS) * 2 ** (attempt - 1));
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
      problem = `cannot be reached (${(error as Error).name})`;
      continue;
    }
    if (status === 404 || (status === 400 && /unknown variable|unknown\/unsupported/.test(body))) {
      return null;
    }
    if (isKeyProblem(status, body)) {
      throw new ImportError(
        `The Census API ${api.key ? 'refused the key in CENSUS_API_KEY' : 'wants a key: set CENSUS_API_KEY'} ` +
          '(free at https://api.census.gov/data/key_signup.html).',
      );
    }
    if (status === 200) {
      try {
        return asRows(table, JSON.parse(body) as unknown);
      } catch {
        problem = 'sent an answer that is cut off or not in its usual shape';
        continue;
      }
    }
    problem = `answered with the status ${status}`;
    if (status !== 429 && status < 500) break;
  }
  throw new ImportError(`${table} of ${year}: the Census API ${problem}. Nothing was changed.`);
}

const pad = (line: number) => String(line).padStart(3, '0');

function variables(table: string): string[] {
  const margin = TABLES_WITH_MARGIN.includes(table);
  return ACS_TABLES[table]!.flatMap((line) => {
    const name = `${table}_${pad(line)}`;
    return margin ? [`${name}E`, `${name}M`] : [`${name}E`];
  });
}

/** The API tells of a missing or wrong key in a page, with 200 or by a redirect to one. */
function isKeyProblem(status: number, body: string): boolean {
  return (
    (status >= 300 && status < 400) || status === 401 || /<title>.*key.*<\/title>/is.test(body)
  );
}
