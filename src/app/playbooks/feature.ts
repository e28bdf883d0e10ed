import { phrase } from '../../kit/worded.ts';
import { feature } from '../catalogue/declared-feature.ts';
import type { UpkeepParts } from '../maintenance/upkeep-parts.ts';
import type { RunParts } from '../runs/run-parts.ts';

/** Playbooks that rules and people run. */
export const playbooks = feature<RunParts & UpkeepParts>({
  id: 'playbooks',
  pastRuns: [
    {
      kind: 'playbook',
      role: 'automation',
      ofAccount: false,
      read: (services, caller) => async (request) =>
        (await import('./past-playbooks.ts')).readPastPlaybooks(services, caller)(request),
    },
  ],
  prunes: [
    {
      figure: 'playbook_runs',
      what: phrase`runs of playbooks pruned`,
      days: ({ PLAYBOOK_RUN_DAYS }) => PLAYBOOK_RUN_DAYS,
      prune: ({ storage }, before) => storage.playbooks.prune(before),
    },
  ],
});
