import type { Services } from '../adapters/listener/services.ts';
import type { Scheduler } from '../ports/index.ts';
import { FEATURES } from './features.ts';

/** Composes the scheduler of work that the service does on its own from time to time. */
export async function composeScheduler(services: Services): Promise<Scheduler> {
  const { toadScheduler } = await import('../adapters/scheduler/toad/toad-scheduler.ts');
  const scheduler = toadScheduler({ logger: services.logger, timings: services.timings.tasks });
  for (const feature of FEATURES) for (const task of (await feature.tasks?.(services)) ?? []) scheduler.add(task);
  return scheduler;
}
