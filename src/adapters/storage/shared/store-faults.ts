import { AppError } from '../../../ports/index.ts';

/** The error for callers that need stored data when there is no store. */
export function storeMissing(place: string): AppError {
  return new AppError(
    'store_missing',
    `there is no database ${place}, and this command makes none: check the folder and DATABASE_URL, or begin with "muster init", "muster account add" or "muster serve"`,
  );
}

/** The last commit that upgrades what was stored before the first migration of today. */
const LAST_TO_UPGRADE = 'd19df64b';

/** The message for a store older than the first migration. */
export function noLongerUpgraded(version: number): string {
  return `is of an older version (schema ${version}) that this program no longer upgrades: start the program of commit ${LAST_TO_UPGRADE} with it first, then this one. Nothing was changed`;
}
