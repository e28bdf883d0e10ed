import { AppError, type Logger } from '../../ports/index.ts';
import type { Caller } from '../execution/caller.ts';

/**
 * The password policy. Refuses an empty password everywhere, and one that is too short or equal to the name from everybody
 * but the operator at the machine, who is warned and may know better.
 */
export function applyPasswordPolicy(
  password: string,
  name: string,
  policy: { readonly minLength: number; readonly caller: Pick<Caller, 'entrance'>; readonly logger: Logger },
): void {
  if (password === '') throw new AppError('invalid_input', 'the password is empty');
  try {
    checkPassword(password, name, policy.minLength);
  } catch (error) {
    if (policy.caller.entrance !== 'cli' || !(error instanceof AppError)) throw error;
    policy.logger.warn('weak password', { user: name, reason: error.message });
  }
}

/** Refuses a password that is too short or equal to the name. */
function checkPassword(password: string, name: string, minLength: number): void {
  if ([...password].length < minLength) {
    throw new AppError('invalid_input', `the password must have at least ${minLength} characters`);
  }
  if (password.toLowerCase() === name.toLowerCase()) {
    throw new AppError('invalid_input', 'the password must not be the user name');
  }
}
