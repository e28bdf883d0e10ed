import { applyFolder } from '../../../../../app/rules-folder/operations/apply-folder.ts';
import { diffFolder } from '../../../../../app/rules-folder/operations/diff-folder.ts';
import { folderPlanNotes, folderPlanSummary, folderPlanView } from '../../../../../app/rules-folder/views/plan.ts';
import { AppError } from '../../../../../ports/errors.ts';
import type { CommandContext } from '../../../context.ts';
import { EXIT } from '../../../exit-codes.ts';
import { canAsk } from '../../../secrets.ts';
import { UsageError } from '../../../usage-error.ts';
import { type FileDocument, readFolder, refuse } from './read-folder.ts';

interface FolderOptions {
  readonly folder?: string;
  readonly applyset?: string;
  readonly prune?: true;
  readonly json?: true;
}

interface DiffOptions extends FolderOptions {
  readonly exitCode?: true;
}

interface ApplyOptions extends FolderOptions {
  readonly adopt?: true;
  readonly dryRun?: true;
  readonly yes?: true;
}

type Plan = Awaited<ReturnType<typeof diffFolder.run>>;

/** `muster rules diff` */
export async function diffFolderCommand(
  context: CommandContext,
  argument: string | undefined,
  options: DiffOptions,
): Promise<void> {
  const { documents, input } = await folderInput(context, argument, options);
  const plan = await placed(documents, () => context.value(diffFolder, input));
  await showPlan(context, plan, options);
  if (options.exitCode === true && differs(plan)) context.exitCode = EXIT.differences;
}

/** `muster rules apply`: shows the differences, asks if there is a terminal, and applies just these. */
export async function applyFolderCommand(
  context: CommandContext,
  argument: string | undefined,
  options: ApplyOptions,
): Promise<void> {
  const { documents, input } = await folderInput(context, argument, options);
  const plan = await placed(documents, () => context.value(diffFolder, input));
  if (options.dryRun) {
    await showPlan(context, plan, options);
    context.note('Nothing was written.');
    return;
  }
  if (!options.json) await folderPlanView(plan, context);
  if (differs(plan) && options.yes !== true && canAsk(context)) await requireYes(context, plan);
  const applied = await placed(documents, () =>
    context.value(applyFolder, { ...input, adopt: options.adopt === true, basis: plan.basis }),
  );
  folderPlanNotes(applied, context);
  if (options.json) await context.json(applied);
  else {
    const done = { ...applied, delete: applied.delete - applied.not_removed.length };
    // If all removals failed, the lines below explain why; reporting that nothing was to do would be wrong.
    if (applied.not_removed.length === 0 || done.create + done.update + done.delete > 0)
      context.note(folderPlanSummary(done, true));
  }
  for (const { rule_type, name, message } of applied.not_removed) {
    context.note(context.noteColours.red(`not removed: ${rule_type} ${name}: ${message}`));
    context.failed();
  }
}

async function folderInput(context: CommandContext, argument: string | undefined, options: FolderOptions) {
  const folder = argument ?? options.folder;
  if (folder === undefined || (argument !== undefined && options.folder !== undefined)) {
    throw new UsageError('name one folder, as "muster rules diff <folder>" or with -f <folder>');
  }
  const documents = await readFolder(folder, context.terminal);
  const input = {
    documents: documents.map(({ rule_type, document, place }) => ({ rule_type, document, place })),
    prune: options.prune === true,
    ...(options.applyset === undefined ? {} : { applyset: options.applyset }),
  };
  return { documents, input };
}

async function showPlan(context: CommandContext, plan: Plan, { json }: FolderOptions): Promise<void> {
  folderPlanNotes(plan, context);
  if (json) return context.json(plan);
  await folderPlanView(plan, context);
  context.note(folderPlanSummary(plan));
}

function differs(plan: Plan): boolean {
  return plan.changes.length > 0;
}

async function requireYes(context: CommandContext, plan: Plan): Promise<void> {
  const summary = folderPlanSummary(plan).replace(/\.$/, '');
  if (await context.ask(`${summary}. Apply?`)) return;
  throw new AppError('failed', 'nothing was applied');
}

/** Maps errors in documents to their files and lines. */
async function placed<Answer>(documents: readonly FileDocument[], call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
    const faults = error.details.map(({ path, message }) => {
      const [, index, inner = ''] = /^documents\.(\d+)(?:\.(.*))?$/s.exec(path) ?? [];
      const document = index === undefined ? undefined : documents[Number(index)];
      if (document === undefined) return { path, message };
      return { path: document.placeOf(inner.split('.')), message: inner === '' ? message : `${inner}: ${message}` };
    });
    refuse(faults);
    throw error;
  }
}
