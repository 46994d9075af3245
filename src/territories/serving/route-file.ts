/**
 * Routes a file of leads: adds to each row which brand serves its place, whom to call, and how that was found. The file
 * passes through a thread row by row, and nothing of it is stored or logged.
 */
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { compiledModule } from '../../base/workers/compiled-module.ts';
import { JobKind } from '../../base/workers/once.ts';
import type { Call } from '../../base/workers/serve.ts';
import type { Geocoder } from '../../data/geocoding/geocoder.ts';
import { badRequest, ServiceError } from '../../errors.ts';
import type { Caller } from '../../people/account/caller.ts';
import { withMeteredAddresses } from '../own-data/address-units.ts';
import { inTurn } from '../own-data/import/in-turn.ts';
import { readInThread } from '../own-data/import/read-upload.ts';
import { uploadLookUps } from '../own-data/import/tenant-look-ups.ts';
import type { UploadOptions } from '../own-data/import/types.ts';
import { servingState } from './facts.ts';
import type { RouteJob } from './route-worker.ts';

const routes = new JobKind<RouteJob, number, Call>({
  module: compiledModule('territories/serving/route-worker.ts'),
  // As for own data, besides what lookups answer from
  megabytes: 448,
  busy: 'Many files are being read right now. Try again in a minute.',
  exceeded: (what, cause) =>
    badRequest(
      `The file takes too much ${what} to read. Remove columns that aren’t needed, or split it up.`,
      { cause },
    ),
  refusals: { ServiceError },
});

/**
 * Rows that may wait for the client, in bytes. Browsers read nothing before they have sent the whole file, so what fits is
 * a file of some 100,000 leads.
 */
const WAITING_BYTES = 32 * 2 ** 20;
/** Longest wait for a client that reads nothing */
const STALL_MS = 60_000;

/**
 * Starts to route a file.
 * @param chunks the file, as it arrives
 * @returns the CSV, once its first rows are routed
 * @throws ServiceError as `readUpload`, if that fails before
 */
export async function routeFile(
  caller: Caller,
  chunks: AsyncIterable<Uint8Array>,
  options: UploadOptions,
  { geocoder, signal }: { geocoder: Geocoder | undefined; signal?: AbortSignal },
): Promise<Readable> {
  const { tenant, brandScope } = caller;
  const out = new PassThrough({ highWaterMark: WAITING_BYTES });
  const write = async (lines: Uint8Array) => {
    if (!out.write(lines)) await once(out, 'drain', { signal: AbortSignal.timeout(STALL_MS) });
  };
  const route = () =>
    withMeteredAddresses(caller, geocoder, async (metered) => {
      const { facts, gazetteer } = await servingState(tenant, brandScope);
      const job = {
        options,
        canGeocode: metered !== undefined,
        facts,
        gazetteer: gazetteer.columns,
      };
      const lookUps = uploadLookUps(tenant, metered ?? null);
      return readInThread(
        routes,
        chunks,
        job,
        (uncounted) => ({
          ...lookUps,
          write: (lines: Uint8Array) => uncounted(() => write(lines)),
        }),
        signal,
      );
    });
  const routed = inTurn(tenant.organizationId, route);
  routed.then(
    () => out.end(),
    (error: Error) => out.destroy(error),
  );
  // Nothing is sent before, so that the client gets the error of a file that can't be read.
  out.on('error', () => {});
  await Promise.race([once(out, 'readable'), routed]);
  return out;
}
