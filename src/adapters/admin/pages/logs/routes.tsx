import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';
import { LOG_SPANS } from './log-spans.ts';

const AuditPage = lazyPage(() => import('./audit-page.tsx').then((module) => module.AuditPage));
const LogsPage = lazyPage(() => import('./logs-page.tsx').then((module) => module.LogsPage));

interface LogSearch {
  readonly source?: string | undefined;
  readonly errors?: true | undefined;
  readonly text?: string | undefined;
  /** Number of hours to look back. */
  readonly hours?: number | undefined;
  /** Shows new entries as they are written. */
  readonly follow?: true | undefined;
  /** Cursor: shows only older entries. */
  readonly before?: string | undefined;
}

interface AuditSearch {
  readonly actor?: string | undefined;
  /** Number of hours to look back. */
  readonly hours?: number | undefined;
  readonly refused?: true | undefined;
  readonly text?: string | undefined;
  readonly before?: string | undefined;
}

/** How far back one may look, in hours. */
const LOG_HOURS: readonly number[] = LOG_SPANS.map(({ hours }) => hours);

const place = /^\d{1,15}-[0-9a-f]{24}$/;

/** A place that no page has answered would be refused. */
function placeParam(value: unknown): string | undefined {
  return typeof value === 'string' && place.test(value) ? value : undefined;
}

export const logsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/logs',
    component: showing(
      () => (
        <Allowed operation="syncer/list-logs" title={t`Logs`}>
          <LogsPage />
        </Allowed>
      ),
      LogsPage,
    ),
    validateSearch: (search: Record<string, unknown>): LogSearch => ({
      source: textParam(search.source),
      errors: search.errors === true || undefined,
      text: textParam(search.text),
      hours: LOG_HOURS.find((hours) => hours === search.hours),
      follow: search.follow === true || undefined,
      before: placeParam(search.before),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/logs/audit',
    component: showing(
      () => (
        <Allowed operation="syncer/list-audit" title={t`Logs`}>
          <AuditPage />
        </Allowed>
      ),
      AuditPage,
    ),
    validateSearch: (search: Record<string, unknown>): AuditSearch => ({
      actor: textParam(search.actor),
      hours: LOG_HOURS.find((hours) => hours === search.hours),
      refused: search.refused === true || undefined,
      text: textParam(search.text),
      before: placeParam(search.before),
    }),
  }),
] as const;
