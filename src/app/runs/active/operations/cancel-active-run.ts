import * as z from 'zod';
import { worded } from '../../../../kit/worded.ts';
import { AppError } from '../../../../ports/index.ts';
import { defineOperation } from '../../services.ts';
import { visibleActiveRuns } from '../active-run-answer.ts';

export const cancelActiveRun = defineOperation({
  name: 'runs/cancel-active',
  title: 'Cancel what runs',
  description:
    'Asks a running import, export or plan to stop, which takes a second or more. What was written until then stays; nothing is archived.',
  effect: 'write',
  roles: ['administrator'],
  weight: 'light',
  at: {
    rest: { path: 'POST /runs/active/:run/cancel', body: 'optional', errors: ['not_found'] },
    command: {
      words: 'run cancel',
      description:
        'Ask a running import, export or plan to stop. What was written until then stays; nothing is archived.',
      summary: 'cancel what runs now',
      arguments: { run: { shown: '<run>', description: 'id of the run, which "muster run active" says' } },
      json: 'answer the run as JSON',
      examples: ['muster run cancel 65a1b2c3d4e5f60718293a4b'],
      view: ({ account }, print) =>
        print.note(`Asked to stop the run of ${account}. "muster run active" shows when it has ended.`),
    },
    page: true,
  },
  input: z.object({ run: z.string().trim().min(1).describe('Id of the run') }),
  output: z.object({ id: z.string(), account: z.string() }),
  subject: (input) => input.run,
  async run({ run: id }, { services, caller, actsOn }) {
    const run = (await visibleActiveRuns(services, caller)).find((each) => each.id === id);
    if (run === undefined || !(await services.storage.activeRuns.requestCancel(run))) {
      throw new AppError('not_found', worded`no run ${{ id }} is active; "muster run active" lists what runs now`);
    }
    actsOn(run.account);
    return { id, account: run.account };
  },
});
