import { isObjectTarget } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { commonTargetOptions, fieldsFor } from '../../accounts/account-types.ts';
import { parseAccountOptions } from '../../accounts/decisions/account-options.ts';
import { parseTypeOptions } from '../../accounts/decisions/type-options.ts';
import { fileReach } from '../../accounts/file-reach.ts';
import type { AccountServices } from '../../accounts/services.ts';

/**
 * Whether this node has the files that the account reads or writes. False only if other nodes may have them: with a shared
 * database and folders that are not shared, for a source that reads from its machine alone, and for a target that writes one
 * file. If it cannot be determined, the answer is true, so that the run itself reports the problem.
 */
export async function hasFilesHere(services: AccountServices, account: Account): Promise<boolean> {
  if (!services.hasOtherNodes || services.config.SHARED_DATA) return true;
  try {
    return (await readsHere(services, account)) && (await writesHere(services, account));
  } catch {
    return true;
  }
}

async function readsHere(services: AccountServices, account: Account): Promise<boolean> {
  const source = services.plugins.source(account.type)?.item;
  if (source?.isLocal !== true) return true;
  const fields = fieldsFor('import', services, account.type, await services.accounts.options(account));
  const path = textMember(parseAccountOptions(source, fields).source, 'path');
  if (path === undefined) return true;
  const files = services.files.sources(fileReach(account));
  const place = async (): Promise<boolean> => {
    const named = await files.list(path);
    if (named === undefined) await files.place(path);
    return named?.length !== 0;
  };
  return place().catch(() => false);
}

async function writesHere(services: AccountServices, account: Account): Promise<boolean> {
  const target = services.plugins.target(account.type)?.item;
  if (target === undefined || isObjectTarget(target) || target.writtenPath === undefined) return true;
  const fields = fieldsFor('export', services, account.type, await services.accounts.options(account));
  const { own } = parseTypeOptions(commonTargetOptions(target), target, fields);
  const option = target.writtenPath(own);
  const path = option === undefined ? undefined : textMember(own, option);
  return path === undefined || (await services.files.targets(fileReach(account)).size(path)) !== undefined;
}

function textMember(options: unknown, name: string): string | undefined {
  const value = (options as Readonly<Record<string, unknown>> | null)?.[name];
  return typeof value === 'string' ? value : undefined;
}
