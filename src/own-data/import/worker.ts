/** Worker thread that reads one uploaded file. `read-upload.ts` starts it. */
import { ServiceError } from '../../errors.ts';
import { serveJobs, type Ask } from '../../render/pool/serve.ts';
import type { Areas, Question, UploadLookUps } from './look-ups.ts';
import { readRows } from './read-rows.ts';
import { openSource } from './source.ts';
import type { UploadOptions, UploadResult } from './types.ts';

export interface UploadJob {
  options: UploadOptions;
  canGeocode: boolean;
  limits: { rows: number };
}

serveJobs<UploadJob, UploadResult, Question, unknown>(
  async ({ options, canGeocode, limits }, ask) => {
    const source = await openSource(chunksFrom(ask), options);
    return readRows(source, options, lookUpsFrom(ask, canGeocode), limits);
  },
  { ServiceError },
);

/** Asks for one chunk at a time, so that only one waits in this thread. */
async function* chunksFrom(ask: Ask<Question, unknown>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = (await ask({ next: true })) as Uint8Array | null;
    if (chunk === null) return;
    yield chunk;
  }
}

const lookUpsFrom = (ask: Ask<Question, unknown>, canGeocode: boolean): UploadLookUps => ({
  knownZips: async () => (await ask({ knownZips: true })) as string[],
  unknownReasons: async (zips) =>
    (await ask({ unknownReasons: zips })) as ReadonlyMap<string, string>,
  zipsIn: async (cells) => (await ask({ zipsIn: cells })) as string[],
  boundaries: async (zips) => (await ask({ boundaries: zips })) as Areas,
  states: async () => (await ask({ states: true })) as Areas,
  geocode: canGeocode
    ? async (address) => (await ask({ geocode: address })) as { lng: number; lat: number } | null
    : undefined,
});
