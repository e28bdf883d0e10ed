/** Types of accounts that are written through the API alone, by all their names; they have no source and no target. */
export const API_ACCOUNT_TYPES: ReadonlySet<string> = new Set(['api', 'from_api', 'restapi', 'custom']);
