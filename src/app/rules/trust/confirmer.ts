import type { ConfirmedBy, RuleDocument, RuleRecord, RuleType } from '../../../ports/index.ts';
import { type Caller, isAdministrator } from '../../kernel/caller.ts';

/** Returns the confirmer of a document that this caller writes. Jobs confirm nothing. */
export function confirmerOf(caller: Caller): ConfirmedBy {
  if (caller.entrance === 'cli') return 'operator';
  return caller.entrance !== 'cron' && isAdministrator(caller) ? 'administrator' : null;
}

/**
 * Returns the confirmer of a document that replaces another one. It still counts as confirmed by the operator if an administrator
 * changed nothing of what it names on the machine.
 */
export function confirmerOfReplacement(
  type: RuleType,
  before: RuleRecord | undefined,
  document: RuleDocument,
  caller: Caller,
): ConfirmedBy | 'keep' {
  const confirmer = confirmerOf(caller);
  const isKept =
    confirmer === 'administrator' && before?.confirmedBy === 'operator' && namesTheSame(type, before, document);
  return isKept ? 'keep' : confirmer;
}

/**
 * Whether a change of one member leaves the document with its present confirmer: secrets are not shown, and the author of a partial
 * change has not seen the rest. So a pending document stays pending, and a change of something else does not make the operator
 * confirm what an administrator named on the machine.
 */
export function keepsConfirmer(type: RuleType, before: RuleRecord, document: RuleDocument, caller: Caller): boolean {
  const confirmer = confirmerOf(caller);
  if (confirmer === null) return false;
  return before.confirmedBy === null || (confirmer === 'operator' && namesTheSame(type, before, document));
}

/** Whether the document names on the machine what it named before. */
function namesTheSame(type: RuleType, before: Pick<RuleRecord, 'document'>, document: RuleDocument): boolean {
  return type.onMachine !== undefined && type.onMachine(before.document.value) === type.onMachine(document);
}
