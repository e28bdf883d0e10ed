/** Members that every rule may have, and those of its conditions. */
export const ENVELOPE_MEMBERS = [
  'name',
  'hostname',
  'enabled',
  'sort_field',
  'last_match',
  'condition_typ',
  'conditions',
  'documentation',
] as const;
