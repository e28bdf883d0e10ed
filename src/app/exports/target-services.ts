import type { Logger, TargetServices } from '../../ports/index.ts';
import type { Account } from '../accounts/account-directory.ts';
import { fileReach } from '../accounts/file-reach.ts';
import type { RunServices } from '../runs/services.ts';
import { publishedFiles } from './published-files.ts';
import { textTemplates } from './text-templates.ts';

/** What the target of an account works with. */
export function targetServices(services: RunServices, account: Account, logger: Logger): TargetServices {
  const reach = fileReach(account);
  return {
    logger,
    files: services.files.targets(reach),
    sourceFiles: services.files.sources(reach),
    http: services.http,
    published: publishedFiles(services.storage.published, account.id, services.clock),
    templates: textTemplates,
  };
}
