import { feature } from '../catalogue/declared-feature.ts';
import type { RunServices } from '../runs/services.ts';

/** Calls of other systems that make cron groups run. */
export const webhooks = feature<object, RunServices>({
  id: 'webhooks',
  services: (services) => ({
    groupsWithOneSecret: () => async () => (await import('./webhook-secrets.ts')).groupsWithOneSecret(services()),
  }),
});
