/** A local server that replaces the Census Bureau's: files below `/files`, the API below `/data`. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CensusServer {
  url: string;
  /** Files by path, such as `GENZ2023/shp/cb_2023_us_state_500k.zip` */
  files: Map<string, Buffer>;
  /** Requested paths in order, with the range, if any: `/files/a.zip bytes=10-` */
  requests: string[];
  /** Sends answers instead of the server, until it returns false */
  trouble: (path: string, response: ServerResponse, request: IncomingMessage) => boolean;
  close(): void;
}

export async function startCensusServer(): Promise<CensusServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://census');
    const { range } = request.headers;
    census.requests.push(url.pathname + (range ? ` ${range}` : ''));
    const path = url.pathname.replace('/files/', '');
    if (census.trouble(path, response, request)) return;
    if (url.pathname.startsWith('/data/')) sendFigures(url, response);
    else sendFile(census.files.get(path), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const census: CensusServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files: new Map(),
    requests: [],
    trouble: () => false,
    close: () => server.close().closeAllConnections(),
  };
  return census;
}

function sendFigures(url: URL, response: ServerResponse): void {
  const columns = [...url.searchParams.get('get')!.split(','), 'zip code tabulation area'];
  const row = (zip: string) =>
    columns.map((c) => (c === 'NAME' ? `ZCTA5 ${zip}` : c.startsWith('zip') ? zip : '7'));
  response.end(JSON.stringify([columns, row('75201'), row('75202')]));
}

/** The tag that the server gives a file, as Apache does. */
const tagOf = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`;

function sendFile(content: Buffer | undefined, request: IncomingMessage, response: ServerResponse) {
  if (!content) return response.writeHead(404).end('<html>Not Found</html>');
  const etag = tagOf(content);
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (start === 0 || request.headers['if-range'] !== etag) {
    return response.writeHead(200, { etag, 'content-length': content.length }).end(content);
  }
  response
    .writeHead(206, {
      etag,
      'content-length': content.length - start,
      'content-range': `bytes ${start}-${content.length - 1}/${content.length}`,
    })
    .end(content.subarray(start));
}
