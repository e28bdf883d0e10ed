import { feature } from '../app/catalogue/declared-feature.ts';
import type { JournalServices } from '../app/journal/services.ts';
import { localOperator } from '../app/kernel/caller.ts';
import type { MaintenanceServices } from '../app/maintenance/services.ts';
import type { UpkeepParts } from '../app/maintenance/upkeep-parts.ts';
import type { RunServices } from '../app/runs/services.ts';
import type { ScheduledTask } from '../ports/index.ts';

const MAINTENANCE_SECONDS = 60 * 60;
const FORWARD_SECONDS = 5;
const LOOK_FOR_RUNS_SECONDS = 5;
const LOOK_AT_OFFERS_SECONDS = 2;
const LOOK_AT_AUDIT_SECONDS = 60;
const LOOK_AT_CLOCK_SECONDS = 60;
/** Half a second of a thread of its own for each 100,000 hosts. */
const LOOK_FOR_DAMAGE_SECONDS = 24 * 60 * 60;

/** The parts that the core declares in the form of a feature. It is always there. */
export const core = feature<UpkeepParts, RunServices & MaintenanceServices>({
  id: 'core',
  checks: [
    async ({ services }, hasStorage) =>
      hasStorage ? (await import('../app/runs/offers/check-work.ts')).checkWork(services) : [],
  ],
  attention: async (ask) => (await import('./core-attention.ts')).coreAttention(ask),
  async tasks(services) {
    const { LapsedRuns } = await import('../app/runs/active/lapsed-runs.ts');
    const lapsedRuns = new LapsedRuns(services);
    return [
      {
        name: 'maintenance',
        everySeconds: MAINTENANCE_SECONDS,
        async run(signal) {
          const name = 'maintenance';
          const caller = localOperator({ name, path: name, requestId: services.newId(), entrance: 'cron' });
          const limits = { signal, effects: ['read', 'write', 'destructive'] } as const;
          await services.callOperation('system/run-maintenance', {}, caller, limits);
        },
      },
      { name: 'clock', everySeconds: LOOK_AT_CLOCK_SECONDS, run: async () => services.clockWatch.look() },
      { name: 'damage', everySeconds: LOOK_FOR_DAMAGE_SECONDS, atStart: true, run: () => services.damageWatch.look() },
      {
        name: 'audit chain',
        everySeconds: LOOK_AT_AUDIT_SECONDS,
        atStart: true,
        run: () => services.audit.chain.look(),
      },
      { name: 'lapsed runs', everySeconds: LOOK_FOR_RUNS_SECONDS, run: () => lapsedRuns.look() },
      ...(services.config.AUDIT_FORWARD.length === 0 ? [] : [forwarding(services)]),
      {
        name: 'cron',
        everySeconds: services.config.CRON_PASS_SECONDS,
        // Continues at once what a crash cut off.
        atStart: true,
        // The runs outlast the pass, so that a long one does not delay the groups that are due meanwhile.
        async run() {
          await services.cron.startDue();
        },
      },
      ...(services.hasOtherNodes
        ? [
            {
              name: 'work of other nodes',
              everySeconds: LOOK_AT_OFFERS_SECONDS,
              run: () => services.cron.takeOffered(),
            },
          ]
        : []),
    ];
  },
});

function forwarding({ auditForwarding }: Pick<JournalServices, 'auditForwarding'>): ScheduledTask {
  return { name: 'audit forwarding', everySeconds: FORWARD_SECONDS, run: (signal) => auditForwarding.run(signal) };
}
