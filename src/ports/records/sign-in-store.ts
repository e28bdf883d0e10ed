/**
 * When other systems last vouched for users who are known there. It is no part of transfers: what a backup said then says nothing
 * about now.
 */
export interface SignInStore {
  /** Notes that the user was vouched for; an older time than the stored one is ignored. */
  vouch(userId: string, at: Date): Promise<void>;
  /** `undefined` for a user whom nobody vouched for, or whom the system no longer vouches for. */
  vouchedAt(userId: string): Promise<Date | undefined>;
  /** Forgets it. True when it was there. */
  withdraw(userId: string): Promise<boolean>;
}
