/**
 * The last times at which other systems vouched for users known there. Not part of transfers: what a backup recorded then means
 * nothing now.
 */
export interface SignInStore {
  /** Notes that the user was vouched for; an older time than the stored one is ignored. */
  vouch(userId: string, at: Date): Promise<void>;
  /** `undefined` for a user for whom no system ever vouched, or no longer does. */
  vouchedAt(userId: string): Promise<Date | undefined>;
  /** Forgets it. True when it was there. */
  withdraw(userId: string): Promise<boolean>;
}
