import { phrase } from '../../kit/worded.ts';
import { feature } from '../catalogue/declared-feature.ts';
import type { UpkeepParts } from '../maintenance/upkeep-parts.ts';
import type { RuleServices } from '../rules/services.ts';
import type { RunParts } from '../runs/run-parts.ts';
import type { RunServices } from '../runs/services.ts';

/** Exports to other systems, which are planned first. */
export const exports = feature<RunParts & UpkeepParts, RunServices>({
  id: 'exports',
  services: (services) => ({
    targets: (): RuleServices['targets'] => ({
      accounts: async (caller) => (await explained()).targetAccounts(services(), caller),
      explained: async (account, caller) => (await explained()).explainedTarget(services(), account, caller),
      test: async (account, caller, signal) =>
        (await import('./preview-target.ts')).testedTarget(services(), account, caller, signal),
    }),
  }),
  pastRuns: [
    {
      kind: 'plan',
      role: 'administrator',
      ofAccount: true,
      read: (services, caller) => async (request) =>
        (await import('./plans/past-plans.ts')).readPastPlans(services, caller)(request),
    },
  ],
  attention: async (ask) => (await import('./plans/waiting-plans.ts')).waitingPlans(ask),
  news: async ({ storage }, last) => (await import('./plans/plan-news.ts')).newsOfPlans(storage.plans, last),
  prunes: [
    {
      figure: 'plans',
      what: phrase`plans of exports pruned`,
      days: ({ PLAN_DAYS }) => PLAN_DAYS,
      prune: ({ storage }, before) => storage.plans.prune(before),
    },
  ],
});

function explained() {
  return import('./explained-target.ts');
}
