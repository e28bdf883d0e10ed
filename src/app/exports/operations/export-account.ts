import * as z from 'zod';
import { wordingFor } from '../../../kit/worded.ts';
import { type Account, requireEnabled } from '../../accounts/account-directory.ts';
import { accountKind, hasPlans, objectTargetTypeOf, targetTypeOf } from '../../accounts/account-types.ts';
import { accountNameSchema } from '../../accounts/operations/show-account.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { type ActiveRunContext, asActiveRun } from '../../runs/active/as-active-run.ts';
import { defineOperation } from '../../runs/services.ts';
import { exportReportSchema } from '../export-report.ts';
import { runExport } from '../export-run.ts';
import { openTarget } from '../open-target.ts';
import { exportObjects, previewObjects } from '../plans/export-objects.ts';
import { requirePart } from '../plans/open-object-target.ts';
import { exportAnswer, exportOutcome, exportView } from '../views/export-report.ts';

export const exportAccount = defineOperation({
  name: 'exports/export-account',
  title: 'Export',
  description: 'Exports all hosts to the target of an account. A failed run removes nothing from the target.',
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    command: {
      words: 'export',
      description:
        'Export the hosts to the target of an account, as the rules of its project make them. A run that fails removes nothing from the target, and makes the command fail.',
      arguments: { account: { shown: '<account>', description: 'name of the account' } },
      options: {
        dry_run: {
          flags: '--dry-run',
          description: 'say what would happen, show how files would begin, and write nothing',
        },
        part: { flags: '--part <part>', description: 'export one part of the target, if it has several' },
      },
      progress: ({ account }) => `Exporting ${account}`,
      json: 'answer the summary as JSON',
      answered: exportAnswer,
      examples: [
        'muster export everything',
        'muster export everything --dry-run',
        'muster export netbox --part devices',
        'muster export everything --json',
      ],
      view: exportView,
      outcome: exportOutcome,
    },
    page: true,
  },
  previews: ({ dry_run }) => dry_run === true,
  input: z.object({
    account: accountNameSchema,
    dry_run: z.boolean().default(false).describe('Only the summary; nothing is written'),
    part: z.string().min(1).optional().describe('The part of the target to export; absent: all of them'),
  }),
  output: exportReportSchema,
  subject: (input) => input.account,
  hasFailed: ({ status }) => status === 'failed',
  async run({ account: name, dry_run, part }, context) {
    const { services, caller } = context;
    const account = await services.accounts.inScope(name, caller.scope);
    requireEnabled(account);
    // No run at all, while a plugin that is gone makes the runs of its accounts fail.
    if (hasPlans(services, account.type)) {
      if (part !== undefined) requirePart(services, account, part);
      const { wording, ...report } = dry_run
        ? await previewObjects(context, account, part)
        : await asActiveRun(context, { kind: 'export', account }, (running) => exportObjects(running, account, part));
      return { ...report, ...wordingFor(caller, wording) };
    }
    if (part !== undefined) objectTargetTypeOf(services, account);
    if (accountKind(services, account.type) !== 'unknown') targetTypeOf(services, account);
    if (dry_run) return exportOf(context, account, dry_run);
    return asActiveRun(context, { kind: 'export', account }, (running) => exportOf(running, account, dry_run));
  },
});

async function exportOf(
  { services, caller, signal, progress }: ActiveRunContext,
  account: Account,
  dryRun: boolean,
): Promise<z.infer<typeof exportReportSchema>> {
  const { hosts, logs } = services.storage;
  const report = await runExport(
    { hosts, logs, clock: services.clock, logger: services.logger, newId: services.newId },
    {
      account: account.name,
      open: () => openTarget(services, account),
      scope: hostScopeOf(caller),
      timeoutSeconds: services.config.PLUGIN_TIMEOUT_SECONDS,
      signal,
      dryRun,
      progress: (state) => progress({ ...state, unit: 'hosts' }),
    },
  );
  return {
    account: account.name,
    status: report.status,
    message: report.message,
    ...wordingFor(caller, report.wording),
    cancelled: report.cancelled,
    summary: { ...report.summary },
    failures: report.failures.map((failure) => ({ ...failure })),
    failures_total: report.failuresTotal,
    ...(report.documents !== undefined && {
      documents: report.documents.map((document) => ({ ...document })),
      documents_total: report.documentsTotal,
    }),
    ...(report.emptyFields !== undefined && { empty_fields: [...report.emptyFields] }),
  };
}
