import { t } from '@lingui/core/macro';
import type { SessionAnswer } from '../../routes.ts';

/** Explains why the user cannot run playbooks; `undefined` if they can. */
export function runRefusal({ refused }: Pick<SessionAnswer, 'refused'>): string | undefined {
  const why = refused['playbooks/run-playbook']?.why;
  if (why === undefined) return undefined;
  if (why === 'read_only') return t`You may only read, so you cannot run them.`;
  return t`Only administrators can run them, because they run on this machine.`;
}
