import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { ENTRY_OUTCOMES, PLAN_ACTIONS } from '../../../../app/exports/plans/words.ts';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { choiceParam, startParam, textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';

const PlanPage = lazyPage(() => import('./plan-page.tsx').then((module) => module.PlanPage));
const PlansPage = lazyPage(() => import('./plans-page.tsx').then((module) => module.PlansPage));

interface PlansSearch {
  readonly account?: string | undefined;
  /** Cursor: shows only older plans. */
  readonly before?: string | undefined;
}

/** Filters for the changes of a plan. */
export interface PlanSearch {
  readonly action?: (typeof PLAN_ACTIONS)[number] | undefined;
  readonly kind?: string | undefined;
  readonly outcome?: 'open' | (typeof ENTRY_OUTCOMES)[number] | undefined;
  readonly text?: string | undefined;
  /** Cursor: shows the changes after this number. */
  readonly after?: number | undefined;
}

const OF_PLANS = { operation: 'plans/list-plans', title: t`Plans` } as const;
const planId = /^[0-9a-f]{24}$/;

export const plansRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/plans',
    component: showing(
      () => (
        <Allowed {...OF_PLANS}>
          <PlansPage />
        </Allowed>
      ),
      PlansPage,
    ),
    validateSearch: (search: Record<string, unknown>): PlansSearch => ({
      account: textParam(search.account),
      before: typeof search.before === 'string' && planId.test(search.before) ? search.before : undefined,
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/plans/$plan',
    component: showing(
      () => (
        <Allowed {...OF_PLANS}>
          <PlanPage />
        </Allowed>
      ),
      PlanPage,
    ),
    validateSearch: (search: Record<string, unknown>): PlanSearch => ({
      action: choiceParam(search.action, PLAN_ACTIONS),
      kind: textParam(search.kind),
      outcome: choiceParam(search.outcome, ['open', ...ENTRY_OUTCOMES]),
      text: textParam(search.text),
      after: startParam(search.after),
    }),
  }),
] as const;
