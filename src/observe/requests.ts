/**
 * Counts finished requests and their durations. The metrics library would take 6% of the time of a cached
 * answer, because it hashes the labels each time. So requests are counted in plain numbers, and a scrape
 * converts them to metrics.
 */
import { Counter, type Metric, type Registry } from 'prom-client';

/** From cached answers (under 1 ms) to the deadline of a picture */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Label of requests at paths without an operation. One label per path would need unlimited memory. */
const UNMATCHED = 'unmatched';

interface OperationTally {
  statuses: Map<number | string, number>;
  /** Requests per bucket, with slower ones at the end */
  buckets: number[];
  seconds: number;
  count: number;
}

/** Observes all requests. */
export interface RequestObserver {
  began(): void;
  /** @param operation undefined if no operation has the path */
  ended(operation: string | undefined, status: number | 'aborted', seconds: number): void;
}

export class RequestTally implements RequestObserver {
  /** Requests being answered */
  running = 0;
  readonly #operations = new Map<string, OperationTally>();

  began(): void {
    this.running++;
  }

  ended(operation = UNMATCHED, status: number | 'aborted', seconds: number): void {
    this.running--;
    let tally = this.#operations.get(operation);
    if (!tally) {
      const buckets = Array.from({ length: BUCKETS_S.length + 1 }, () => 0);
      tally = { statuses: new Map(), buckets, seconds: 0, count: 0 };
      this.#operations.set(operation, tally);
    }
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < BUCKETS_S.length && seconds > BUCKETS_S[bucket]!) bucket++;
    tally.buckets[bucket]!++;
    tally.seconds += seconds;
    tally.count++;
  }

  register(registry: Registry): void {
    const operations = this.#operations;
    registry.registerMetric(
      new Counter({
        name: 'territory_http_requests_total',
        help: 'Finished requests by operation and status; aborted: the client disconnected',
        labelNames: ['operation', 'status'],
        registers: [],
        collect() {
          this.reset();
          for (const [operation, { statuses }] of operations) {
            for (const [status, count] of statuses) this.inc({ operation, status }, count);
          }
        },
      }),
    );
    registry.registerMetric(durations(operations) as unknown as Metric);
  }
}

/**
 * The part of a metric that the registry reads. The registry's own histogram can't be filled with counts.
 */
const durations = (operations: ReadonlyMap<string, OperationTally>) => {
  const name = 'territory_http_request_duration_seconds';
  const help = 'Time from the request’s head to the end of its response, by operation';
  return {
    name,
    get: async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: [...operations].flatMap(([operation, tally]) => samplesOf(name, operation, tally)),
    }),
  };
};

/** Buckets are cumulative. */
function samplesOf(name: string, operation: string, { buckets, seconds, count }: OperationTally) {
  let below = 0;
  const cumulative = [...BUCKETS_S, '+Inf'].map((le, i) => {
    below += buckets[i]!;
    return { metricName: `${name}_bucket`, labels: { le, operation }, value: below };
  });
  return [
    ...cumulative,
    { metricName: `${name}_sum`, labels: { operation }, value: seconds },
    { metricName: `${name}_count`, labels: { operation }, value: count },
  ];
}
