import { checkExport } from '../../../../app/migration/operations/check-export.ts';
import { migrationReportOutcome, migrationReportView } from '../../../../app/migration/views/migration-report.ts';
import type { CommandContext } from '../../context.ts';
import { readInput } from '../../input-text.ts';
import { readRulesContent } from '../../rules-content.ts';

export interface CheckExportOptions {
  readonly skipBroken?: true;
  readonly json?: true;
  readonly type?: string;
}

export type MigrationReport = Awaited<ReturnType<typeof checkExport.run>>;

export async function checkExportCommand(
  context: CommandContext,
  file: string,
  options: CheckExportOptions,
): Promise<MigrationReport> {
  const skip_broken = options.skipBroken === true;
  const content = readRulesContent(await readInput(file, context.terminal), {
    file,
    type: options.type,
    skipBroken: skip_broken,
  });
  const report = await context.longValue('Checking', checkExport, { ...content, skip_broken });
  if (options.json) await context.json(report);
  else await migrationReportView(report, context);
  migrationReportOutcome(report, context);
  return report;
}
