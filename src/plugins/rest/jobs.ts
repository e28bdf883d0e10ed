import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/errors.ts';
import type { JobRun, JobType } from '../../ports/job.ts';
import { memberOf, textOf } from '../shared/jobs/answers.ts';
import { exportOutcome } from '../shared/jobs/export-outcome.ts';
import { importJobOf } from '../shared/jobs/import-job.ts';

const JIRA = 'jira_cloud';
const SECTION = 'Fills an inventory section of hosts that exist';

/** Jobs of existing installations that read a part of a system, by the names that their groups have. */
export const partJobs: readonly JobType[] = [
  importJobOf(
    'ServiceNow: Inventorize data',
    `${SECTION} for each of inventorize_tables (inventorize_key, _ and its name) with the records that belong to them.`,
    { part: 'related', inventorize: true },
  ),
  importJobOf('JDisc: Import Applications', 'Imports installed applications as objects.', { part: 'applications' }),
  importJobOf('JDisc: Import Executables', 'Imports installed executable files as objects.', { part: 'executables' }),
  importJobOf(
    'JDisc: Inventorize Applications',
    `${SECTION} (inventorize_key, _applications) with the applications that are installed on them.`,
    { part: 'applications', inventorize: true },
  ),
  importJobOf(
    'JDisc: Inventorize Executables',
    `${SECTION} (inventorize_key, _executables) with the executable files that are installed on them.`,
    { part: 'executables', inventorize: true },
  ),
  importJobOf(
    'Cisco DNA: Get Interfaces',
    `${SECTION} (inventorize_key, else cisco_dnainterface_) with the interfaces of network devices.`,
    { part: 'interfaces', inventorize: true },
  ),
];

/** Jobs that write to Jira, by those names. */
export const jiraJobs: readonly JobType[] = [
  {
    id: 'Jira Cloud: Export Objects',
    aliases: [],
    description: 'Exports objects of hosts to Jira Assets.',
    account: 'required',
    async run({ account = '', operation }) {
      await requireJira(account, operation);
      return exportOutcome(account, await operation('exports/export-account', { account }));
    },
  },
  {
    id: 'Jira Cloud: Sync Schema',
    aliases: [],
    description:
      'Reads object types and attributes of Jira Assets, and counts them. Exports read them again each time.',
    account: 'required',
    async run({ account = '', operation }) {
      await requireJira(account, operation);
      const answer = await operation('accounts/test-account', { name: account });
      return { message: textOf(memberOf(answer, 'target'), 'message') };
    },
  },
];

/** An account of another type would be exported whole to wherever that leads. */
async function requireJira(account: string, operation: JobRun['operation']): Promise<void> {
  const type = textOf(await operation('accounts/show-account', { name: account }), 'type');
  if (type === JIRA) return;
  throw new AppError(
    'invalid_input',
    worded`account ${{ account }} is of the type ${{ type }}, and the job takes accounts of the type ${{ wanted: JIRA }}`,
  );
}
