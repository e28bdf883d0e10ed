import { expect, it } from 'vitest';
import { COMMON_ACCOUNT_OPTIONS } from '../../../src/app/accounts/decisions/common-options.ts';
import { exportOptions } from '../../../src/app/accounts/decisions/export-options.ts';
import { importOptions } from '../../../src/app/accounts/decisions/import-options.ts';

it('the options that all accounts have are known to those who must tell them from options of a type', () => {
  const all = new Set([...Object.keys(importOptions.shape), ...Object.keys(exportOptions.shape)]);
  expect(COMMON_ACCOUNT_OPTIONS).toEqual(all);
});
