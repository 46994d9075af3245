/** Serves `/metrics` on a separate port, which operators don't expose to the internet. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

interface MetricsServer {
  /** The port in use, even if the system chose it */
  port: number;
  close(): Promise<void>;
}

/** @param text returns the metrics in Prometheus' text format */
export async function serveMetrics(
  { host, port, contentType }: { host: string; port: number; contentType: string },
  text: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer(async (req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://metrics');
    if (pathname !== '/metrics' || (req.method !== 'GET' && req.method !== 'HEAD')) {
      res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at GET /metrics.\n');
      return;
    }
    try {
      const body = await text();
      res.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' });
      res.end(req.method === 'HEAD' ? undefined : body);
    } catch {
      res.writeHead(503, { 'Content-Type': 'text/plain' }).end('The metrics can’t be read.\n');
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
