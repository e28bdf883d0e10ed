import { memberFlag, memberObjects, memberReference, memberText } from '../../kit/document/members.ts';
import { AppError, type JsonObject } from '../../ports/index.ts';
import { jobOf, type KnownJob, missingJob, requireAccountType } from '../kernel/jobs/job-of.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import type { ExportedDocuments } from './decisions/exported-document.ts';

interface ExportedJob {
  readonly name: string;
  readonly command: string;
  readonly account: string | null;
  /** The action of the job here; the reason if it cannot run. */
  readonly becomes: string;
  readonly fails: boolean;
}

/** A cron group of the export. */
export interface ExportedGroup {
  readonly name: string;
  readonly enabled: boolean;
  readonly jobs: readonly ExportedJob[];
}

/** Returns the action here of each job of each group, by the table that the scheduler uses. */
export async function groupsOf(
  services: MaintenanceServices,
  documents: ExportedDocuments,
): Promise<readonly ExportedGroup[]> {
  const accounts = await accountsByReference(services, documents);
  return (documents.get('cron_groups') ?? []).map(({ name, document }) => ({
    name,
    enabled: memberFlag(document, 'enabled'),
    jobs: memberObjects(document, 'jobs').map((job) => exportedJob(services, accounts, job)),
  }));
}

interface NamedAccount {
  readonly name: string;
  readonly type: string;
}

/** Those of the export, and those that are here. */
async function accountsByReference(
  services: MaintenanceServices,
  documents: ExportedDocuments,
): Promise<ReadonlyMap<string, NamedAccount>> {
  const exported = (documents.get('accounts') ?? []).map(({ name, document }) => ({
    id: memberReference(document, '_id') ?? name,
    name,
    type: memberText(document, 'typ') || memberText(document, 'type'),
  }));
  const all = [...(await services.accounts.list(null)), ...exported];
  return new Map(all.flatMap((account) => [[account.id, account] as const, [account.name, account] as const]));
}

function exportedJob(
  { plugins }: MaintenanceServices,
  accounts: ReadonlyMap<string, NamedAccount>,
  job: JsonObject,
): ExportedJob {
  const command = memberText(job, 'command');
  const reference = memberReference(job, 'account');
  const account = reference === undefined ? undefined : accounts.get(reference);
  const shown = { name: memberText(job, 'name') || command, command, account: account?.name ?? reference ?? null };
  const known = jobOf(plugins, command);
  const missing = missingJob(plugins, command);
  if (known === undefined || missing !== undefined) return { ...shown, becomes: missing ?? '', fails: true };
  const fault = accountFault(known);
  return { ...shown, becomes: fault ?? known.description, fails: fault !== undefined };

  function accountFault(type: KnownJob): string | undefined {
    if (type.account === 'none') return undefined;
    if (reference === undefined) {
      return type.account === 'required'
        ? `the job ${type.id} needs an account; name one as "account" of the job`
        : undefined;
    }
    if (account === undefined) return `there is no account ${reference}`;
    try {
      requireAccountType(plugins, type, account);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.message;
    }
    return undefined;
  }
}
