import { AppError, type Logger, type Wording } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { worded } from '../kernel/worded.ts';
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
  const fault = policyFault(password, name, policy);
  if (fault === undefined) return;
  const path = policy.member ?? 'password';
  throw new AppError('invalid_input', fault, { details: [{ path, message: predicateOf(fault) }] });
}

/** What follows `the password`, for details that name it by their path. */
function predicateOf({ text }: Wording): string {
  return text.slice('the password '.length);
}

/** What follows `the password` where the policy does not allow it. */
export function passwordFault(password: string, name: string, policy: PasswordPolicy): string | undefined {
  const fault = policyFault(password, name, policy);
  return fault === undefined ? undefined : predicateOf(fault);
}

/**
 * What is wrong with a password by the policy: empty for anybody, too short or equal to the name for everybody but the
 * operator at the machine, who is warned and may know better.
 */
function policyFault(
  password: string,
  name: string,
  { minLength, caller, logger }: PasswordPolicy,
): Wording | undefined {
  const problem = passwordProblem(password, name, minLength);
  if (problem === undefined || password === '' || caller.entrance !== 'cli') return problem;
  logger.warn('weak password', { user: name, reason: problem.text });
  return undefined;
}

function passwordProblem(password: string, name: string, minLength: number): Wording | undefined {
  if (password === '') return worded`the password is empty`;
  if ([...password].length < minLength)
    return worded`the password must have at least ${{ count: minLength }} characters`;
  return userNameKey(password) === userNameKey(name) ? worded`the password must not be the user name` : undefined;
}
