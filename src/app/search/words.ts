/** By what hosts may be the same one. */
export const DUPLICATE_WORDS = {
  spelling: 'same name in another spelling',
  serial: 'same serial number',
  uuid: 'same UUID',
  address: 'same address',
  short_name: 'same short name',
} as const;
