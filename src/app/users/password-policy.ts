import { AppError, type Logger } from '../../ports/index.ts';
import type { Caller } from '../execution/caller.ts';

export interface PasswordPolicy {
  readonly minLength: number;
  readonly caller: Pick<Caller, 'entrance'>;
  readonly logger: Logger;
  /** The member of the input that holds the password, for details of errors; `password` when absent. */
  readonly member?: string;
}

/**
 * The password policy. Refuses an empty password everywhere, and one that is too short or equal to the name from everybody
 * but the operator at the machine, who is warned and may know better.
 */
export function applyPasswordPolicy(password: string, name: string, policy: PasswordPolicy): void {
  const { minLength, caller, logger, member = 'password' } = policy;
  const problem = passwordProblem(password, name, minLength);
  if (problem === undefined) return;
  if (caller.entrance === 'cli' && password !== '') {
    logger.warn('weak password', { user: name, reason: `the password ${problem}` });
    return;
  }
  throw new AppError('invalid_input', `the password ${problem}`, { details: [{ path: member, message: problem }] });
}

function passwordProblem(password: string, name: string, minLength: number): string | undefined {
  if (password === '') return 'is empty';
  if ([...password].length < minLength) return `must have at least ${minLength} characters`;
  return password.toLowerCase() === name.toLowerCase() ? 'must not be the user name' : undefined;
}
