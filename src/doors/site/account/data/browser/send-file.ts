/** Sends a file to the service and reports how much of it was read. */
import type {
  ReadRow,
  RowFinding,
  RowOutcome,
  ReadColumn,
  ReadSet,
} from '../../../../../territories/own-data/import/types.ts';

/** What the page tells the form */
export interface Settings {
  /** Address of the data sets in the API */
  path: string;
  /** Address of the page after an upload */
  done: string;
  maxBytes: number;
  /** Whether the service finds addresses */
  geocodes: boolean;
  /** Id */
  organization: string;
}

export type AmountKind = ReadSet['kind'];

/** The service's answer to an upload: `UploadBody` in `doors/http/own-data/schema.ts` */
export interface Upload {
  stored: boolean;
  format: 'csv' | 'xlsx' | 'geojson' | 'kml' | 'shapefile';
  summary: string;
  columns: ReadColumn[];
  sheets: string[];
  place: { by: 'zip' | 'coordinates' | 'address'; columns: string[] };
  amounts: { kind: AmountKind; column: string | null }[];
  groupBy: string | null;
  rows: number;
  counts: Record<RowOutcome, number>;
  dataSets: {
    name: string;
    kind: AmountKind;
    column: string | null;
    unit: string;
    zipCount: number;
    total: number;
    replaces: boolean;
    suppressedZips: number;
  }[];
  findings: RowFinding[];
  moreFindings: boolean;
  firstRows: ReadRow[];
}

/** Parameters of an upload, without those that have their default */
export type UploadQuery = Record<string, string>;

/**
 * The service reads the file while it arrives, so what was sent is what was read.
 * @param onProgress receives a share from 0 to 1
 * @returns the answer
 * @throws Error with a message for people
 */
export function sendFile<Answer>(
  { path, organization }: Pick<Settings, 'path' | 'organization'>,
  file: Blob,
  query: UploadQuery,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${path}?${new URLSearchParams(query)}`);
    request.setRequestHeader('For-Organization', organization);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('load', () => {
      const answer = parse(request.responseText) as (Answer & { error?: string }) | null;
      if (request.status === 200 && answer) resolve(answer);
      else reject(new Error(answer?.error ?? `The service answered with ${request.status}.`));
    });
    request.addEventListener('error', () =>
      reject(new Error('The service can’t be reached. Check the connection, then try again.')),
    );
    request.addEventListener('abort', () => reject(new Error('Stopped.')));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

/** A proxy may answer with a page. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
