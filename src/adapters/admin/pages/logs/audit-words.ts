/** What an operation does, in words: `cron/set-policy` is `Set policy`. */
export function operationWords(operation: string): { readonly what: string; readonly area: string } {
  const [area = '', verb = operation] = operation.split('/');
  const words = verb.replaceAll('-', ' ');
  return { what: words.charAt(0).toUpperCase() + words.slice(1), area };
}

interface SubjectPage {
  readonly kind: 'host' | 'account' | 'cron' | 'user' | 'rules' | 'plan' | 'run' | 'playbook_run';
  readonly name: string;
}

const KINDS: Readonly<Record<string, SubjectPage['kind']>> = {
  hosts: 'host',
  relations: 'host',
  accounts: 'account',
  imports: 'account',
  exports: 'account',
  cron: 'cron',
  users: 'user',
  rules: 'rules',
};

/** Operations whose subject is of another kind than what their area is about. */
const OWN_KINDS: Readonly<Record<string, SubjectPage['kind']>> = {
  'plans/make-plan': 'account',
  'plans/approve-plan': 'plan',
  'plans/apply-plan': 'plan',
  'playbooks/cancel-run': 'playbook_run',
  'runs/cancel-active': 'account',
  'runs/undo-run': 'run',
};

/** The page of what an operation acted upon; `undefined` where it has none, or is gone since. */
export function subjectPage(operation: string, subject: string): SubjectPage | undefined {
  const [area = '', verb = ''] = operation.split('/');
  const kind = OWN_KINDS[operation] ?? KINDS[area];
  if (kind === undefined || subject === '' || /^(?:delete|remove|purge)/.test(verb)) return undefined;
  // Of several at once the log names how many, or the first of them.
  if (kind === 'host' && /\s/.test(subject)) return undefined;
  // A run that was not there to be cancelled has no account, and stands there by the id that was asked for.
  if (operation === 'runs/cancel-active' && /^[0-9a-f]{24}$/.test(subject)) return undefined;
  return { kind, name: kind === 'rules' ? (subject.split(' ')[0] ?? '') : subject };
}
