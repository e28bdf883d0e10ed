import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { defineOperation } from '../../runs/services.ts';
import { unknownRun, visibleRuns } from '../run-answer.ts';

export const cancelPlaybookRun = defineOperation({
  name: 'playbooks/cancel-run',
  title: 'Cancel a run of a playbook',
  description: 'Cancels a playbook run, on whichever node it runs. It ends within seconds.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'playbook cancel',
      description: 'Ask the service that runs a playbook, on any node, to end it. It ends within seconds.',
      summary: 'cancel a run',
      arguments: { run: { shown: '<run>', description: 'id of the run' } },
      json: 'answer the outcome as JSON',
      examples: ['muster playbook cancel 65a1b2c3d4e5f60718293a4b'],
      view: ({ run }, print) =>
        print.note(`Asked to end ${run}. "muster playbook show ${run}" says when it has ended.`),
    },
    page: true,
  },
  input: z.object({ run: z.string().trim().min(1).describe('Its id') }),
  output: z.object({ run: z.string(), status: z.literal('requested') }),
  subject: (input) => input.run,
  async run({ run: id }, { services, caller }) {
    const { playbooks } = services.storage;
    const found = await playbooks.find(id);
    const visible = found === undefined ? [] : await visibleRuns(services, caller, [found]);
    if (visible.length === 0) throw unknownRun(id);
    const outcome = await playbooks.requestCancel(id);
    if (outcome === 'requested') return { run: id, status: outcome };
    if (outcome === 'not_found') throw unknownRun(id);
    const status = (await playbooks.find(id))?.status ?? 'over';
    throw new AppError(
      'conflict',
      worded`the playbook run ${{ id }} is ${{ status }}; only one that is running can be cancelled`,
    );
  },
});
