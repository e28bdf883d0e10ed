import { userNameKey } from '../../kit/users/user-names.ts';
import { detailOf, worded } from '../../kit/worded.ts';
import { AppError, type Logger, type Wording } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';

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
  throw new AppError('invalid_input', fault.sentence, { details: [detailOf(path, fault.predicate)] });
}

/** Returns the words that follow `the password` if the policy does not allow it. */
export function passwordFault(password: string, name: string, policy: PasswordPolicy): Wording | undefined {
  return policyFault(password, name, policy)?.predicate;
}

/** The fault of a password, as a sentence and as the words that follow `the password`. */
interface Fault {
  readonly sentence: Wording;
  readonly predicate: Wording;
}

/**
 * Returns the fault of a password under the policy. An empty one is refused for every caller; one too short or equal to the name
 * for all but the operator at the machine, who is warned and may know better.
 */
function policyFault(password: string, name: string, { minLength, caller, logger }: PasswordPolicy): Fault | undefined {
  const problem = passwordProblem(password, name, minLength);
  if (problem === undefined || password === '' || caller.entrance !== 'cli') return problem;
  logger.warn('weak password', { user: name, reason: problem.sentence.text });
  return undefined;
}

function passwordProblem(password: string, name: string, minLength: number): Fault | undefined {
  if (password === '') return { sentence: worded`the password is empty`, predicate: worded`is empty` };
  if ([...password].length < minLength) {
    return {
      sentence: worded`the password must have at least ${{ count: minLength }} characters`,
      predicate: worded`must have at least ${{ count: minLength }} characters`,
    };
  }
  return userNameKey(password) === userNameKey(name)
    ? { sentence: worded`the password must not be the user name`, predicate: worded`must not be the user name` }
    : undefined;
}
