import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { countDuration, type Durations, noDurations } from '../../../app/kernel/timings.ts';
import { durations, textOf } from './family.ts';

/** The service's measurements of itself, in the text form that Prometheus reads. */
export interface HttpMetrics {
  readonly mediaType: string;
  /** Begins to measure the process: memory, event loop lag, garbage collection. */
  start(): void;
  observe(request: ObservedRequest): void;
  brokenStream(route: string): void;
  text(): Promise<string>;
}

interface ObservedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

interface RequestDurations extends Durations {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

const REQUESTS = {
  name: 'muster_http_request_duration_seconds',
  help: 'Requests by route and status, and how long they took',
  bounds: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
};

/** Gauges of the library that are named like counters; other gauges give the same by kind. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `muster_nodejs_active_${what}_total`);

export function httpMetrics(): HttpMetrics {
  const registry = new Registry();
  /** Durations by route, for each of its few methods and statuses. The histogram of the library costs each request 3 µs. */
  const requests = new Map<string, RequestDurations[]>();
  const broken = new Counter({
    name: 'muster_http_broken_answers_total',
    help: 'Answers that failed after their first byte was sent',
    labelNames: ['route'],
    registers: [registry],
  });

  function durationsOf({ method, route, status }: ObservedRequest): RequestDurations {
    const ofRoute = requests.get(route) ?? [];
    const known = ofRoute.find((each) => each.status === status && each.method === method);
    if (known !== undefined) return known;
    const made = { method, route, status, ...noDurations(REQUESTS.bounds) };
    requests.set(route, [...ofRoute, made]);
    return made;
  }

  return {
    mediaType: registry.contentType,
    start() {
      collectDefaultMetrics({ register: registry, prefix: 'muster_' });
      for (const name of MISNAMED) registry.removeSingleMetric(name);
    },
    observe: (request) => countDuration(durationsOf(request), request.milliseconds / 1000, REQUESTS.bounds),
    brokenStream: (route) => broken.inc({ route }),
    async text() {
      const labels = ({ method, route, status }: RequestDurations) => ({ method, route, status });
      return `${await registry.metrics()}\n${await textOf([durations(REQUESTS, [...requests.values()].flat(), labels)])}`;
    },
  };
}
