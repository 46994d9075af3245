/** Counts finished requests and their durations. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** From cached answers (under 1 ms) to the deadline of a picture, in seconds */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Label of requests at paths without an operation. One label per path would need unlimited memory. */
const UNMATCHED = 'unmatched';

/** Observes all requests. */
export interface RequestObserver {
  began(): void;
  /** @param operation undefined if no operation has the path */
  ended(operation: string | undefined, status: number | 'aborted', seconds: number): void;
}

/** Adds the metrics of requests to a registry. */
export function observeRequests(registry: Registry): RequestObserver {
  const registers = [registry];
  const finished = new Counter({
    name: 'territory_http_requests_total',
    help: 'Finished requests by operation and status; aborted: the client disconnected',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'territory_http_request_duration_seconds',
    help: 'Time from the request’s head to the end of its response, by operation',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  });
  const running = new Gauge({
    name: 'territory_http_requests_running',
    help: 'Requests being answered',
    registers,
  });
  return {
    began: () => running.inc(),
    ended(operation = UNMATCHED, status, seconds) {
      running.dec();
      finished.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
  };
}
