import { choiceParam, textParam } from '../parts/search-params.ts';

export const RUN_KINDS = ['import', 'export', 'plan', 'cron', 'playbook'] as const;
export const RUN_OUTCOMES = [
  'done',
  'partial',
  'failed',
  'cancelled',
  'undone',
  'running',
  'waiting',
  'discarded',
] as const;

export interface RunsSearch {
  readonly kind?: (typeof RUN_KINDS)[number] | undefined;
  readonly account?: string | undefined;
  readonly outcome?: (typeof RUN_OUTCOMES)[number] | undefined;
  /** Cursor: shows only older runs. */
  readonly before?: string | undefined;
}

const place = /^\d{1,15}-[0-9a-f]{24}$/;

export function runsSearch(search: Record<string, unknown>): RunsSearch {
  return {
    kind: choiceParam(search.kind, RUN_KINDS),
    account: textParam(search.account),
    outcome: choiceParam(search.outcome, RUN_OUTCOMES),
    before: typeof search.before === 'string' && place.test(search.before) ? search.before : undefined,
  };
}
