import * as z from 'zod';
import { defineOperation } from '../../rules/services.ts';
import { planFolder } from '../plan.ts';
import { folderInput, planAnswer, planMembers } from '../schemas.ts';

export const diffFolder = defineOperation({
  name: 'rules/diff-folder',
  title: 'Differences of a folder of rules',
  description:
    'Shows the changes that applying a folder of rules and accounts would make, field by field, and changes made here since the last apply. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  acrossAccounts: true,
  auditReads: true,
  weight: 'heavy',
  at: { rest: { path: 'POST /rules/diff', body: 'required', errors: ['forbidden'] } },
  input: z.object(folderInput),
  output: z.object(planMembers),
  subject: ({ applyset }) => applyset,
  async run(input, { services, caller }) {
    return planAnswer(await planFolder(services, caller, input), input);
  },
});
