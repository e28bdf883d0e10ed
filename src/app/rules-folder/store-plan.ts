import { memberFlag } from '../../kit/document/members.ts';
import { AppError } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { RuleServices } from '../rules/services.ts';
import { removeDocuments as removeRules } from '../rules/settle-changes.ts';
import { importDocuments } from '../rules/transfer/import-documents.ts';
import { type AppliedMark, keyOf, markWrite, removeMark } from './applied-marks.ts';
import { byType, type FolderPlan, markOf, type PlannedRemoval } from './plan.ts';

interface NotRemoved {
  readonly rule_type: string;
  readonly name: string;
  readonly message: string;
}

/** Does what the plan says, and remembers it. Answers what could not be removed. */
export async function storePlan(
  services: RuleServices,
  caller: Caller,
  plan: FolderPlan,
  set: { readonly applyset: string; readonly adopt: boolean },
): Promise<readonly NotRemoved[]> {
  await storeDocuments(services, caller, plan, set);
  for (const mark of plan.stale) await removeMark(services, mark);
  return removeDocuments(services, caller, plan.removals);
}

/** Documents and marks are one unit. */
async function storeDocuments(
  services: RuleServices,
  caller: Caller,
  { documents }: FolderPlan,
  set: { readonly applyset: string; readonly adopt: boolean },
): Promise<void> {
  const marked = documents.map((document) => ({ before: document.mark, after: markOf(document, set) }));
  const marks = marked.filter(({ before, after }) => !isSame(before, after)).map(({ after }) => markWrite(after));
  const lost = marked.flatMap(({ before, after }) =>
    before === undefined || keyOf(before) === keyOf(after) ? [] : [before],
  );
  const changed = documents.filter(({ action }) => action !== 'none');
  if (changed.length > 0) {
    const parts = [...byType(changed)].map(([type, some]) => ({
      type,
      documents: some.map(({ document }) => document),
    }));
    const { details } = await importDocuments(services, caller, parts, { override: true, alongside: marks });
    const [problem] = details;
    if (problem !== undefined) {
      const message = `${problem.rule_type} ${problem.name} was not stored, because rules were changed in the meantime: ${problem.message}; apply the folder again`;
      throw new AppError('conflict', message);
    }
  } else if (marks.length > 0) {
    const actor = { kind: 'user', name: caller.name } as const;
    await services.storage.rules.write({ entries: marks, mode: 'replace', at: services.clock.now(), actor });
  }
  for (const mark of lost) await removeMark(services, mark);
}

function isSame(before: AppliedMark | undefined, after: AppliedMark): boolean {
  return (
    before !== undefined && JSON.stringify(markWrite(before).document) === JSON.stringify(markWrite(after).document)
  );
}

/** Rules before accounts, and children before their parents: an account that something uses stays. */
async function removeDocuments(
  services: RuleServices,
  caller: Caller,
  removals: readonly PlannedRemoval[],
): Promise<readonly NotRemoved[]> {
  const notRemoved: NotRemoved[] = [];
  const turn = ({ type, record }: PlannedRemoval): number =>
    type.id !== 'accounts' ? 0 : memberFlag(record.document.value, 'is_child') ? 1 : 2;
  for (const { type, record, mark } of [...removals].sort((a, b) => turn(a) - turn(b))) {
    try {
      if (type.id === 'accounts') await services.accountRemoval.remove(record.name, caller);
      else await removeRules(services, caller, type, [record]);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      notRemoved.push({ rule_type: type.id, name: record.name, message: error.message });
      continue;
    }
    await removeMark(services, mark);
  }
  return notRemoved;
}
