import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { holdsRole } from '../../kernel/caller.ts';
import { switchSchema } from '../../rules/rule-type-input.ts';
import { defineOperation } from '../../rules/services.ts';
import { planFolder } from '../plan.ts';
import { folderInput, planAnswer, planMembers } from '../schemas.ts';
import { storePlan } from '../store-plan.ts';

export const applyFolder = defineOperation({
  name: 'rules/apply-folder',
  title: 'Apply a folder of rules',
  description:
    'Makes the rules and accounts of a folder be stored as it says, all of them or, when one is refused, none. With prune, what an earlier apply of the same set made and the folder does not have any more is removed.',
  effect: 'destructive',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'heavy',
  at: { rest: { path: 'POST /rules/apply', body: 'required', errors: ['forbidden', 'conflict'] } },
  input: z.object({
    ...folderInput,
    adopt: switchSchema.describe(
      '1 takes over what people or another set made and the folder has, so that it is removed too once the folder does not have it any more',
    ),
    basis: z
      .string()
      .optional()
      .describe('Digest of the reviewed differences: if they have changed by now, nothing is applied'),
  }),
  output: z.object({
    ...planMembers,
    not_removed: z
      .array(z.object({ rule_type: z.string(), name: z.string(), message: z.string() }))
      .describe('Accounts that something still uses'),
  }),
  subject: ({ applyset }) => applyset,
  async run(input, { services, caller }) {
    const plan = await planFolder(services, caller, input);
    if (input.basis !== undefined && input.basis !== plan.basis) {
      throw new AppError(
        'conflict',
        worded`rules were changed in the meantime, so the differences are no longer the same; look at them again`,
      );
    }
    const removals = input.prune ? plan.removals : [];
    if (removals.some(({ type }) => type.id === 'accounts') && !holdsRole(caller, ['admin'])) {
      throw new AppError('forbidden', worded`only a global administrator removes accounts; nothing was applied`);
    }
    const notRemoved = await storePlan(services, caller, { ...plan, removals }, input);
    return { ...planAnswer(plan, input), not_removed: [...notRemoved] };
  },
});
