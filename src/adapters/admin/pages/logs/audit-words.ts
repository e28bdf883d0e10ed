import { t } from '@lingui/core/macro';
import { OPERATION_TITLES } from '../../../../../generated/operation-titles.ts';
import type { ErrorCode } from '../../../../ports/errors.ts';
import { textOf } from '../language/service-texts.ts';

/**
 * Returns the name of an operation in the language of the page. One that only reads, or belongs to a plugin, gets its own name:
 * `list-hosts` is `List hosts`.
 */
export function operationWords(operation: string): { readonly what: string; readonly area: string } {
  const [area = '', verb = operation] = operation.split('/');
  if (area === 'session') return { what: verb === 'log-in' ? t`Log in` : t`Log out`, area };
  const happened = HAPPENED[operation];
  if (happened !== undefined) return { what: happened, area };
  const title = OPERATION_TITLES[operation];
  const words = verb.replaceAll('-', ' ');
  return { what: title === undefined ? words.charAt(0).toUpperCase() + words.slice(1) : textOf(title), area };
}

/** Events other than operations. */
const HAPPENED: Readonly<Record<string, string>> = {
  'users/created': t({ message: 'Created', context: 'a user, in the audit log' }),
  'users/changed': t({ message: 'Changed', context: 'a user, in the audit log' }),
  'users/use-token': t`Use a token`,
};

const OUTCOMES: Readonly<Record<ErrorCode | 'done', string>> = {
  done: t`done`,
  failed: t`failed`,
  cancelled: t`cancelled`,
  invalid_input: t`invalid input`,
  unauthenticated: t`not logged in`,
  insecure_transport: t`insecure connection`,
  role_missing: t`role missing`,
  read_only: t`may only read`,
  forbidden: t`not allowed`,
  account_conflict: t`host of another account`,
  not_found: t`not found`,
  gone: t`gone`,
  archived: t`archived`,
  conflict: t`conflict`,
  too_large: t`too large`,
  store_missing: t`no store yet`,
  unsupported_media_type: t`unknown media type`,
  rate_limited: t`too many attempts`,
  unavailable: t`not available`,
  internal: t`fault of the program`,
};

/** How it ended, in words. */
export function outcomeWords(outcome: string): string {
  return (OUTCOMES as Readonly<Record<string, string>>)[outcome] ?? outcome.replaceAll('_', ' ');
}

/** A cancelled operation is neither done nor a fault. */
export function outcomeTone(outcome: string): 'good' | 'quiet' | 'bad' {
  if (outcome === 'done') return 'good';
  return outcome === 'cancelled' ? 'quiet' : 'bad';
}

type SubjectPage =
  | {
      readonly kind: 'host' | 'account' | 'cron' | 'user' | 'rules' | 'project' | 'plan' | 'run' | 'playbook_run';
      readonly name: string;
    }
  | { readonly kind: 'rule'; readonly type: string; readonly rule: string };

const KINDS: Readonly<Record<string, 'host' | 'account' | 'cron' | 'user'>> = {
  hosts: 'host',
  relations: 'host',
  accounts: 'account',
  imports: 'account',
  exports: 'account',
  cron: 'cron',
  users: 'user',
};

/** Operations whose subject is of another kind than their area. */
const OWN_KINDS: Readonly<Record<string, 'account' | 'plan' | 'playbook_run' | 'run'>> = {
  'plans/make-plan': 'account',
  'plans/approve-plan': 'plan',
  'plans/discard-plan': 'plan',
  'plans/apply-plan': 'plan',
  'playbooks/cancel-run': 'playbook_run',
  'runs/cancel-active': 'account',
  'runs/undo-run': 'run',
};

/** Their subject is a rule type and rules of it; a removed one has a page too, on which it can be restored. */
const OF_RULES: ReadonlySet<string> = new Set([
  'rules/save-rule',
  'rules/confirm-rule',
  'rules/revert-rule',
  'rules/remove-rule',
  'rules/switch-rules',
  'rules/move-rules',
  'rules/remove-rules',
]);

/** No page calls these; others do. */
const OF_TYPES = /^rules\/(create-rule|import-rules-of-type)$/;
const BREAK_GLASS = /^users\/break-glass$/;

/** Returns the page of an operation's subject; `undefined` if it has none, or has been deleted. */
export function subjectPage(operation: string, subject: string): SubjectPage | undefined {
  if (subject === '') return undefined;
  if (OF_RULES.has(operation)) return rulePage(operation, subject);
  if (OF_TYPES.test(operation)) return { kind: 'rules', name: subject };
  if (operation === 'rules/switch-project') {
    const project = /^(.+?) (?:enabled|disabled)(?:: |$)/.exec(subject)?.[1];
    return project === undefined ? undefined : { kind: 'project', name: project };
  }
  const [area = '', verb = ''] = operation.split('/');
  const kind = OWN_KINDS[operation] ?? KINDS[area];
  // The reason follows the name.
  if (BREAK_GLASS.test(operation)) return { kind: 'user', name: subject.replace(/: .*$/s, '') };
  if (kind === undefined || /^(?:delete|remove|purge)/.test(verb)) return undefined;
  // For several at once the log names how many, or the first of them.
  if (kind === 'host' && /\s/.test(subject)) return undefined;
  // A run that was not found for cancelling has no account, and is logged by the requested id.
  if (operation === 'runs/cancel-active' && /^[0-9a-f]{24}$/.test(subject)) return undefined;
  return { kind, name: subject };
}

/** Returns further details of an entry, in the language of the page if it is a sentence of ours. */
export function detailsText(operation: string, details: string): string {
  const [, count, since, rest] = /^(\d+) more since (\S+?)(?:; (.*))?$/s.exec(details) ?? [];
  if (count !== undefined && since !== undefined) {
    const more = t`${count} more since ${since}`;
    return rest === undefined ? more : `${more}; ${detailsText(operation, rest)}`;
  }
  if (operation === 'users/changed') return details.split('; ').map(userChangeText).join('; ');
  return operation === 'session/log-in' ? wayText(details) : details;
}

/** Returns one change of a user; members of the document keep their names. */
function userChangeText(change: string): string {
  const [, prefix = '', what] = /^token (\S+) (made|changed|revoked)$/.exec(change) ?? [];
  switch (what ?? change) {
    case 'made':
      return t`token ${prefix} created`;
    case 'changed':
      return t`token ${prefix} changed`;
    case 'revoked':
      return t`token ${prefix} revoked`;
    case 'another password':
      return t`another password`;
    default:
      return change;
  }
}

/** Returns the way of a login; another system has a name. */
function wayText(way: string): string {
  switch (way) {
    case 'with a code':
      return t`with a code`;
    case 'with a recovery code':
      return t`with a recovery code`;
    case 'by a passkey':
      return t`by a passkey`;
    case 'by a break-glass link':
      return t`by a break-glass link`;
    default: {
      const method = /^by (.+)$/s.exec(way)?.[1];
      return method === undefined ? way : t`by ${method}`;
    }
  }
}

/** Returns the subject as people read it: without the ids after the names of rules. */
export function subjectText(operation: string, subject: string): string {
  return operation.startsWith('rules/') ? subject.replaceAll(/(?<=\S) \([0-9a-f]{24}\)/g, '') : subject;
}

function rulePage(operation: string, subject: string): SubjectPage {
  const [type = ''] = subject.split(' ', 1);
  const rest = subject.slice(type.length + 1);
  const ids = rest.match(/\b[0-9a-f]{24}\b/g) ?? [];
  const rule = ids.length === 0 && operation === 'rules/save-rule' ? rest : ids.length === 1 ? ids[0] : undefined;
  return rule === undefined || rule === '' ? { kind: 'rules', name: type } : { kind: 'rule', type, rule };
}
