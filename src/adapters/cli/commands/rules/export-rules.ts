import { exportRules } from '../../../../app/rules/operations/export-rules.ts';
import { listRules } from '../../../../app/rules/operations/list-rules.ts';
import type { CommandContext } from '../../context.ts';
import { UsageError } from '../../usage-error.ts';

interface ExportOptions {
  readonly folder?: string;
  readonly includeHosts?: true;
  readonly includeAccounts?: true;
  readonly includeUsers?: true;
  readonly includePasswords?: true;
}

export async function exportRulesCommand(
  context: CommandContext,
  type: string | undefined,
  options: ExportOptions,
): Promise<void> {
  if (options.folder !== undefined) {
    if (Object.keys(options).length > 1) throw new UsageError('the --include options belong to an export as JSON');
    const { writeFolderCommand } = await import('./folder/write-folder.ts');
    return writeFolderCommand(context, type, options.folder);
  }
  if (type !== undefined) {
    if (Object.keys(options).length > 0) throw new UsageError('the --include options belong to an export of all types');
    await context.resultStream(await context.stream(listRules, { rule_type: type }));
    return;
  }
  if (options.includeUsers || options.includePasswords) {
    context.note('The export holds password hashes or encrypted secrets: keep it as carefully as the database.');
  }
  const answer = await context.stream(exportRules, {
    include_hosts: options.includeHosts === true,
    include_accounts: options.includeAccounts === true,
    include_users: options.includeUsers === true,
    include_passwords: options.includePasswords === true,
  });
  await context.resultStream(answer);
}
