import { textTemplates } from '../../../src/app/exports/text-templates.ts';
import { filesOptions } from '../../../src/plugins/files/options.ts';
import { filesTarget } from '../../../src/plugins/files/target.ts';
import {
  type JsonObject,
  StoredJson,
  type Target,
  type TargetGroup,
  type TargetHost,
  type TargetResult,
} from '../../../src/ports/index.ts';
import { usedGroups } from '../../../src/testing/used-groups.ts';
import { targetFiles } from '../../support/files.ts';

export function host(hostname: string, variables: JsonObject = {}, more: Partial<TargetHost> = {}): TargetHost {
  return { hostname, variables: StoredJson.ofValue(variables), groups: [], outcomes: {}, ...more };
}

export function target(options: Readonly<Record<string, unknown>>, today?: () => Date): Target {
  const services = { files: targetFiles, templates: textTemplates };
  return filesTarget(filesOptions().parse(options), { name: 'out' }, services, today);
}

export interface Written extends TargetResult {
  readonly failed: Readonly<Record<string, string>>;
}

/** One export over batches; an error in their place is thrown there. */
export async function write(
  options: Readonly<Record<string, unknown>>,
  batches: readonly (readonly TargetHost[] | Error)[],
  { dryRun = false, today, groups }: { dryRun?: boolean; today?: () => Date; groups?: readonly TargetGroup[] } = {},
): Promise<Written> {
  const failed: Record<string, string> = {};
  const nothing = (): void => undefined;
  async function* hosts(): AsyncGenerator<readonly TargetHost[]> {
    for (const batch of batches) {
      if (batch instanceof Error) throw batch;
      yield batch;
    }
  }
  const result = await target(options, today).write(hosts(), {
    dryRun,
    signal: new AbortController().signal,
    written: nothing,
    unchanged: nothing,
    undecided: () => 0,
    groups: groups === undefined ? usedGroups : async () => groups,
    progress: nothing,
    failed: ({ hostname }, reason) => {
      failed[hostname] = reason;
    },
  });
  return { ...result, failed };
}
