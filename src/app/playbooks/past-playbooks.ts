import { counted } from '../../kit/words/amounts.ts';
import type { PlaybookRun } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { type PastRun, runOf } from '../runs/past/past-run.ts';
import type { ReadPastRuns } from '../runs/run-parts.ts';
import type { RunServices } from '../runs/services.ts';
import { visibleRuns } from './run-answer.ts';

export function readPastPlaybooks(services: RunServices, caller: Caller): ReadPastRuns {
  return async ({ limit, before }) => {
    const place = before === undefined ? {} : { before: { id: before.id, startedAt: before.at } };
    const runs = await services.storage.playbooks.latest({ limit, ...place });
    const visible = new Set(await visibleRuns(services, caller, runs));
    return runs.map((run) => ({ at: run.startedAt, id: run.id, run: visible.has(run) ? playedRun(run) : undefined }));
  };
}

const PLAYBOOK_OUTCOMES: Readonly<Record<PlaybookRun['status'], PastRun['outcome']>> = {
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  lost: 'failed',
};

function playedRun({ id, playbook, hostname, choices, startedAt, status, message }: PlaybookRun): PastRun {
  const whom = hostname ?? (choices?.hosts === undefined ? '' : counted(choices.hosts.count, 'host'));
  const said = [whom && `for ${whom}`, message].filter((text) => text !== '').join(': ');
  return { ...runOf(id, startedAt, 'playbook', playbook, PLAYBOOK_OUTCOMES[status]), message: said, changed: null };
}
