import { aliasesOf } from '../options/aliases.ts';
import { madeOnce } from '../options/made-once.ts';
import { importOptions } from './import-options.ts';
import { objectExportOptions } from './object-export-options.ts';

/**
 * Names of the options that accounts of every type have, no matter which plugin provides the type. None of them names a file or
 * anything else on the machine.
 */
export const commonAccountOptions: () => ReadonlySet<string> = madeOnce(
  () =>
    new Set(
      [importOptions(), objectExportOptions()].flatMap((options) => [
        ...Object.keys(options.shape),
        ...aliasesOf(options).keys(),
      ]),
    ),
);
