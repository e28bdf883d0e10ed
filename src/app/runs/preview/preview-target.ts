import { maskedError } from '../../../kit/masking/masked-error.ts';
import type { HostScope, HostStore, ObjectTarget, Target, TargetHost } from '../../../ports/index.ts';
import { guarded } from '../../kernel/plugin-host/guard.ts';
import { evaluatedHosts } from '../export/evaluated-hosts.ts';
import type { ExportEvaluator } from '../export/in-groups.ts';

export interface TargetPreview {
  /** What the target reports about itself; empty when it has nothing to say. */
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
