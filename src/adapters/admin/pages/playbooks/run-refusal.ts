import type { SessionAnswer } from '../../routes.ts';

/** Why the person cannot run playbooks; `undefined` for who can. */
export function runRefusal({ refused }: Pick<SessionAnswer, 'refused'>): string | undefined {
  const why = refused['playbooks/run-playbook']?.why;
  if (why === undefined) return undefined;
  if (why === 'read_only') return 'You may only read, so you cannot run them.';
  return 'Only administrators can run them, because they run on this machine.';
}
