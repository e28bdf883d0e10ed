import type { Services } from '../adapters/listener/services.ts';
import { localOperator } from '../app/kernel/caller.ts';
import type { Executor } from '../app/kernel/executor.ts';
import type { Scheduler } from '../ports/index.ts';
import { FEATURES } from './features.ts';

const MAINTENANCE_SECONDS = 60 * 60;
const FORWARD_SECONDS = 5;
const LOOK_FOR_RUNS_SECONDS = 5;
const LOOK_AT_AUDIT_SECONDS = 60;
const LOOK_AT_CLOCK_SECONDS = 60;
/** Half a second of a thread of its own for each 100,000 hosts. */
const LOOK_FOR_DAMAGE_SECONDS = 24 * 60 * 60;

/** What the service does by itself from time to time. */
export async function composeScheduler(executor: Executor, services: Services): Promise<Scheduler> {
  const { toadScheduler } = await import('../adapters/scheduler/toad/toad-scheduler.ts');
  const { runMaintenance } = await import('../app/maintenance/operations/run-maintenance.ts');
  const scheduler = toadScheduler({ logger: services.logger, timings: services.timings.tasks });
  scheduler.add({
    name: 'maintenance',
    everySeconds: MAINTENANCE_SECONDS,
    async run(signal) {
      const caller = localOperator({
        name: 'maintenance',
        path: 'maintenance',
        requestId: services.newId(),
        entrance: 'cron',
      });
      await executor.value(runMaintenance, { kind: 'value', value: {} }, caller, { signal });
    },
  });
  scheduler.add({
    name: 'clock',
    everySeconds: LOOK_AT_CLOCK_SECONDS,
    async run() {
      services.clockWatch.look();
    },
  });
  scheduler.add({
    name: 'damage',
    everySeconds: LOOK_FOR_DAMAGE_SECONDS,
    atStart: true,
    run: () => services.damageWatch.look(),
  });
  scheduler.add({
    name: 'audit chain',
    everySeconds: LOOK_AT_AUDIT_SECONDS,
    atStart: true,
    run: () => services.audit.chain.look(),
  });
  const { LapsedRuns } = await import('../app/runs/active/lapsed-runs.ts');
  const lapsedRuns = new LapsedRuns(services);
  scheduler.add({ name: 'lapsed runs', everySeconds: LOOK_FOR_RUNS_SECONDS, run: () => lapsedRuns.look() });
  for (const { name, everySeconds, run } of FEATURES.flatMap(({ tasks = [] }) => tasks))
    scheduler.add({ name, everySeconds, run: (signal) => run(services, signal) });
  if (services.config.AUDIT_FORWARD.length > 0) {
    const forwarding = services.auditForwarding;
    scheduler.add({ name: 'audit forwarding', everySeconds: FORWARD_SECONDS, run: (signal) => forwarding.run(signal) });
  }
  scheduler.add({
    name: 'cron',
    everySeconds: services.config.CRON_PASS_SECONDS,
    // What a crash cut off goes on at once.
    atStart: true,
    // The runs go on behind the pass, so that a long one does not hold up the groups that are due meanwhile.
    async run() {
      await services.cron.startDue();
    },
  });
  return scheduler;
}
