import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { choiceParam, textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';
import { CHANGE_KINDS, type ChangesSearch, hoursOf } from './search.ts';

const ChangesPage = lazyPage(() => import('./changes-page.tsx').then((module) => module.ChangesPage));

export const changesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/changes',
    component: showing(
      () => (
        <Allowed operation="hosts/list-changes" title={t`Changes`}>
          <ChangesPage />
        </Allowed>
      ),
      ChangesPage,
    ),
    validateSearch: (search: Record<string, unknown>): ChangesSearch => ({
      where: textParam(search.where),
      field: textParam(search.field),
      from: hoursOf(textParam(search.from)) === undefined ? dayParam(search.from) : textParam(search.from),
      to: dayParam(search.to),
      by: textParam(search.by),
      kind: choiceParam(search.kind, CHANGE_KINDS),
      before: textParam(search.before),
    }),
  }),
] as const;

function dayParam(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
}
