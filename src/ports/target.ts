import type * as z from 'zod';
import type { AccountScope, HostRecord } from './host.ts';
import type { EvaluatedHost } from './inventory-provider.ts';
import type { Logger } from './logger.ts';
import type { SourceAccount } from './source.ts';

export interface TargetHost {
  readonly host: HostRecord;
  readonly evaluated: EvaluatedHost;
}

export interface TargetResult {
  readonly written: number;
  readonly unchanged: number;
  readonly failed: readonly { readonly hostname: string; readonly reason: string }[];
}

/** A system that hosts are exported to, opened for one run. One failing host never stops the others. */
export interface Target {
  write(
    hosts: AsyncIterable<readonly TargetHost[]>,
    context: { readonly scope: AccountScope; readonly signal: AbortSignal; readonly dryRun: boolean },
  ): Promise<TargetResult>;
}

export interface TargetType<Options = unknown> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly options: z.ZodType<Options>;
  open(options: Options, account: SourceAccount, services: { readonly logger: Logger }): Target;
}
