import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What the service measures about itself, in the text form that Prometheus reads. */
export interface HttpMetrics {
  readonly mediaType: string;
  /** Begins to measure the process: memory, event loop lag, garbage collection. */
  start(): void;
  observe(request: { method: string; route: string; status: number; milliseconds: number }): void;
  brokenStream(route: string): void;
  text(): Promise<string>;
}

export function httpMetrics(): HttpMetrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Requests by route and status, and how long they took',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  const broken = new Counter({
    name: 'muster_http_broken_answers_total',
    help: 'Answers that failed after their first byte was sent',
    labelNames: ['route'],
    registers: [registry],
  });
  return {
    mediaType: registry.contentType,
    start: () => collectDefaultMetrics({ register: registry, prefix: 'muster_' }),
    observe: ({ method, route, status, milliseconds }) =>
      durations.observe({ method, route, status }, milliseconds / 1000),
    brokenStream: (route) => broken.inc({ route }),
    text: () => registry.metrics(),
  };
}
