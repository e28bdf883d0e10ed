import { maskedError } from '../../kit/masking/masked.ts';
import type { HostScope, HostStore, ObjectTarget, Target, TargetHost } from '../../ports/index.ts';
import { hasPlans } from '../accounts/account-types.ts';
import { type Caller, hostScopeOf } from '../kernel/caller.ts';
import { guarded } from '../kernel/plugin-host/guard.ts';
import type { TargetTest } from '../rules/services.ts';
import type { RunServices } from '../runs/services.ts';
import { evaluatedHosts } from './evaluated-hosts.ts';
import type { ExportEvaluator } from './in-groups.ts';
import { openTarget } from './open-target.ts';
import { openObjectTarget } from './plans/open-object-target.ts';

export interface TargetPreview {
  /** The target's report about itself; empty if it has none. */
  readonly message: string;
  /** The first hosts of a run. */
  readonly hosts: readonly TargetHost[];
}

/** A target of either form. */
interface OpenedForPreview {
  readonly pluginId: string;
  readonly target: Pick<Target | ObjectTarget, 'check'>;
  readonly evaluator: ExportEvaluator;
  mask(text: string): string;
}

/** Asks the target of an account, and shows the first hosts of a run. */
export async function testedTarget(
  services: RunServices,
  name: string,
  caller: Caller,
  signal: AbortSignal,
): Promise<TargetTest> {
  const account = await services.accounts.inScope(name, caller.scope);
  const opened = hasPlans(services, account.type)
    ? await openObjectTarget(services, account)
    : await openTarget(services, account);
  const { message, hosts } = await previewTarget(opened, {
    hosts: services.storage.hosts,
    account: account.name,
    scope: hostScopeOf(caller),
    timeoutSeconds: services.config.PLUGIN_TIMEOUT_SECONDS,
    signal,
  });
  return {
    message,
    hosts: hosts.map(({ hostname, variables, expressions, groups }) => ({
      hostname,
      variables: variables.value,
      ...(expressions === undefined ? {} : { expressions }),
      groups,
    })),
  };
}

/** Asks the target whether a run could write, and shows what it would be handed. Changes nothing. */
export async function previewTarget(
  opened: OpenedForPreview,
  request: {
    readonly hosts: Pick<HostStore, 'scan'>;
    readonly account: string;
    readonly scope: HostScope;
    readonly timeoutSeconds: number;
    readonly signal: AbortSignal;
    readonly limit?: number;
  },
): Promise<TargetPreview> {
  const { pluginId, target, evaluator } = opened;
  const { hosts, account, scope, timeoutSeconds, signal, limit = 3 } = request;
  const call = { pluginId, what: `asking the target of account ${account}`, timeoutSeconds, signal };
  const message = await guarded(call, (inner) => target.check?.({ signal: inner })).catch((error: unknown) => {
    throw maskedError(error, opened.mask);
  });
  const first: TargetHost[] = [];
  for await (const batch of evaluatedHosts({ hosts, evaluator, scope, signal })) {
    first.push(...batch.slice(0, limit - first.length));
    if (first.length >= limit) break;
  }
  return { message: typeof message === 'string' ? opened.mask(message) : '', hosts: first };
}
