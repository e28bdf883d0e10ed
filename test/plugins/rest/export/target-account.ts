import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTypeOptions } from '../../../../src/app/accounts/decisions/type-options.ts';
import { textTemplates } from '../../../../src/app/exports/text-templates.ts';
import { objectExportOptions } from '../../../../src/kit/account-options/object-export-options.ts';
import { lazyHttp } from '../../../../src/main/http.ts';
import {
  isObjectTarget,
  type ObjectTarget,
  type ObjectTargetType,
  type TargetAccount,
} from '../../../../src/ports/index.ts';
import { sourceFiles, targetFiles } from '../../../support/files.ts';
import { nothingPublished } from '../../../support/published.ts';
import { recordingLogger } from '../../../support/recording-logger.ts';
import { restRegistry } from '../rest-account.ts';

/** The registry of `test/support/device-registry.ts` as objects of an account. */
export const REGISTRY_OBJECTS = readFileSync(join(import.meta.dirname, 'registry-objects.yaml'), 'utf8');

/** The target type as the plugin registers it. */
export async function restTargetType(folder = ''): Promise<ObjectTargetType> {
  const found = (await restRegistry(folder)).target('rest_target')?.item;
  if (found === undefined || !isObjectTarget(found)) throw new Error('there is no target rest_target');
  return found;
}

/** A target with the options of an account, as they are stored. */
export async function openTarget(
  fields: Readonly<Record<string, unknown>>,
  account: Partial<TargetAccount> = {},
  folder = '',
): Promise<ObjectTarget> {
  const type = await restTargetType(folder);
  const { own } = parseTypeOptions(objectExportOptions(), type, fields);
  return type.open(
    own,
    { name: 'out', address: '', username: '', password: 'sesame', ...account },
    {
      logger: recordingLogger([]),
      files: targetFiles,
      sourceFiles,
      published: nothingPublished,
      templates: textTemplates,
      http: lazyHttp({ now: () => new Date() }),
    },
  );
}
