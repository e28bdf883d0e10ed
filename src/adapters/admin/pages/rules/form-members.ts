import { LIST_MEMBERS } from './fields/list-fields.tsx';

/** What the envelope's fields and the conditions are for already. */
export const OTHER_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'hostname',
  'enabled',
  'sort_field',
  'last_match',
  'condition_typ',
  'conditions',
  'documentation',
  ...LIST_MEMBERS,
]);
