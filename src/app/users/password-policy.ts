import { AppError, type Logger } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { userNameKey } from './decisions/user-names.ts';

export interface PasswordPolicy {
  readonly minLength: number;
  readonly caller: Pick<Caller, 'entrance'>;
  readonly logger: Logger;
  /** The member of the input that holds the password, for details of errors; `password` when absent. */
  readonly member?: string;
}

/** Refuses a password that the policy does not allow. */
export function applyPasswordPolicy(password: string, name: string, policy: PasswordPolicy): void {
  const fault = passwordFault(password, name, policy);
  if (fault === undefined) return;
  const path = policy.member ?? 'password';
  throw new AppError('invalid_input', `the password ${fault}`, { details: [{ path, message: fault }] });
}

/**
 * What is wrong with a password by the policy: empty for anybody, too short or equal to the name for everybody but the
 * operator at the machine, who is warned and may know better.
 */
export function passwordFault(
  password: string,
  name: string,
  { minLength, caller, logger }: PasswordPolicy,
): string | undefined {
  const problem = passwordProblem(password, name, minLength);
  if (problem === undefined || password === '' || caller.entrance !== 'cli') return problem;
  logger.warn('weak password', { user: name, reason: `the password ${problem}` });
  return undefined;
}

function passwordProblem(password: string, name: string, minLength: number): string | undefined {
  if (password === '') return 'is empty';
  if ([...password].length < minLength) return `must have at least ${minLength} characters`;
  return userNameKey(password) === userNameKey(name) ? 'must not be the user name' : undefined;
}
