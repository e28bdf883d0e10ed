import { phrase } from '../../kit/worded.ts';
import { feature } from '../catalogue/declared-feature.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import type { UpkeepParts } from '../maintenance/upkeep-parts.ts';
import type { RunServices } from '../runs/services.ts';

const SEND_SECONDS = 5;

/** Messages about what happens, to people and other systems. */
export const notifications = feature<UpkeepParts, RunServices & MaintenanceServices>({
  id: 'notifications',
  tasks: async (services) => [
    {
      name: 'notifications',
      everySeconds: SEND_SECONDS,
      async run(signal) {
        const { noticeHappenings } = await import('./notice.ts');
        await noticeHappenings(services);
        const { sendDue } = await import('./send.ts');
        await sendDue(services, signal);
      },
    },
  ],
  prunes: [
    {
      figure: 'notifications',
      what: phrase`notifications pruned`,
      days: ({ LOG_DAYS }) => LOG_DAYS,
      prune: ({ storage }, before) => storage.outbox.prune(before),
    },
  ],
});
