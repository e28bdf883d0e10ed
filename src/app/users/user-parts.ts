import type { UserServices } from './services.ts';

/** The part that a feature adds to rooms of users. */
export interface UserParts {
  /** Removes what belonged to a user alone, before the user is deleted: a later user of that name is another one. */
  forgetUser?(services: UserServices, name: string, by: string): Promise<void>;
}
