import { checkedProcessors } from '../../../kit/account-options/chosen-processors.ts';
import { maskedError, maskedLogger } from '../../../kit/masking/masked.ts';
import { compileHostnameTemplate, type HostnameTemplate } from '../../../kit/options/hostname-template.ts';
import { AppError, type Source, type SourceItem, type SourcePart } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { accountMask } from '../../accounts/account-mask.ts';
import { fieldsFor, sourceTypeOf } from '../../accounts/account-types.ts';
import { type AccountOptions, parseAccountOptions } from '../../accounts/decisions/account-options.ts';
import { fileReach } from '../../accounts/file-reach.ts';
import { type GuardedCall, guarded, pluginError } from '../../kernel/plugin-host/guard.ts';
import { guardedStream } from '../../kernel/plugin-host/guarded-stream.ts';
import { requireConfirmedAccount } from '../../rules/trust/pending.ts';
import type { RunServices } from '../services.ts';
import type { ChangesRequest } from './changes-only.ts';
import { openProcessors } from './processors.ts';

type CheckedSource = Source & Required<Pick<Source, 'check'>>;

/** An account with its source opened for one run. */
export interface OpenedSource extends AccountOptions<unknown> {
  readonly source: CheckedSource;
  /** Those of its type. */
  readonly parts: readonly SourcePart[];
  readonly template: HostnameTemplate | undefined;
  readonly collectTemplate: HostnameTemplate | undefined;
  readonly changes: Omit<ChangesRequest, 'full'>;
  /** Hides the account's secrets in what the source says of records. */
  mask(text: string): string;
}

/** Parses the account's options and opens its source. What the source says in errors and logs has no secrets of the account. */
export async function openSource(services: RunServices, account: Account): Promise<OpenedSource> {
  const { type, pluginId } = sourceTypeOf(services, account);
  requireConfirmedAccount(services.plugins, account);
  const mask = await accountMask(services, account, pluginId);
  const fields = await services.accounts.options(account);
  const { name, address, username } = account;
  const password = type.isLocal === true ? '' : await services.accounts.password(account);
  const logger = maskedLogger(services.logger.child({ account: name }), mask);
  try {
    const options = parseAccountOptions(type, fieldsFor('import', services, account.type, fields));
    const reach = fileReach(account);
    const files = services.files.sources(reach);
    const programs = services.programs.sources(reach);
    const opened = type.open(
      options.source,
      { name, address, username, password },
      { logger, files, programs, http: services.http },
    );
    const processed = openProcessors(checkedProcessors(services.plugins, options.common.processors), {
      account: name,
      timeoutSeconds: services.config.PLUGIN_TIMEOUT_SECONDS,
      services: { logger, http: services.http },
    });
    const call = { pluginId, what: `reading account ${name}`, timeoutSeconds: services.config.PLUGIN_TIMEOUT_SECONDS };
    const source = maskedSource(
      {
        ...(opened.parts === undefined ? {} : { parts: opened.parts }),
        ...(opened.columns === undefined
          ? {}
          : {
              columns: (context) =>
                guarded({ ...call, signal: context.signal }, async () => opened.columns?.(context) ?? []),
            }),
        read: (context) => {
          const batches = guardedStream({ ...call, signal: context.signal }, opened.read(context));
          return processed(checkedBatches(batches), context);
        },
        check: ({ signal }) =>
          guarded({ ...call, signal }, async (inner) => (await opened.check?.({ signal: inner })) ?? ''),
      },
      { call, mask },
    );
    const now = (): Date => services.clock.now();
    const { rewrite_hostname, inventorize_rewrite_collect_by_key: collect } = options.common;
    return {
      ...options,
      source,
      parts: type.parts ?? [],
      changes: { wholeReadHours: type.wholeReadHours?.(options.source) ?? 0, account: stateOf(account) },
      template: compileHostnameTemplate(rewrite_hostname, { now }),
      collectTemplate: compileHostnameTemplate(collect, { now }, 'inventorize_rewrite_collect_by_key'),
      mask,
    };
  } catch (error) {
    throw maskedError(pluginError({ pluginId, what: `opening account ${name}` }, error), mask);
  }
}

/** A source in JavaScript may give anything. */
export async function* checkedBatches(
  batches: AsyncIterable<readonly SourceItem[]>,
): AsyncIterable<readonly SourceItem[]> {
  for await (const batch of batches) {
    if (!Array.isArray(batch))
      throw new AppError('failed', 'the plugin gave one item where a batch belongs, a list of items');
    for (const item of batch as readonly Partial<SourceItem>[]) {
      if (typeof item?.kind !== 'string')
        throw new AppError('failed', 'the plugin gave an item without a kind, such as "record"');
      if (item.kind !== 'record') continue;
      const { hostname, labels, position } = item;
      if (typeof hostname !== 'string') {
        throw new AppError(
          'failed',
          `the plugin gave a record without a hostname that is a text${position === undefined ? '' : `, at ${position}`}; an item of kind "skipped" names a record without one`,
        );
      }
      if (typeof labels !== 'object' || labels === null)
        throw new AppError('failed', `the plugin gave the record ${hostname} without labels`);
    }
    yield batch;
  }
}

/** Which account it is, and every change that was made to it or to its parent. */
function stateOf({ record, parentRecord }: Account): string {
  const all = parentRecord === undefined ? [record] : [record, parentRecord];
  return all.map(({ id, version, changedAt }) => `${id} ${version} ${changedAt.toISOString()}`).join(', ');
}

/** The source with masked errors. Records are data and pass as they are. */
function maskedSource(
  source: CheckedSource,
  { call, mask }: { readonly call: Pick<GuardedCall, 'pluginId' | 'what'>; readonly mask: (text: string) => string },
): CheckedSource {
  return {
    ...(source.parts === undefined ? {} : { parts: source.parts }),
    async check(context) {
      try {
        const message: unknown = await source.check(context);
        return typeof message === 'string' ? mask(message) : '';
      } catch (error) {
        throw maskedError(pluginError(call, error), mask);
      }
    },
    ...(source.columns === undefined
      ? {}
      : {
          async columns(context) {
            try {
              return (await source.columns?.(context)) ?? [];
            } catch (error) {
              throw maskedError(pluginError(call, error), mask);
            }
          },
        }),
    async *read(context) {
      try {
        yield* source.read(context);
      } catch (error) {
        throw maskedError(pluginError(call, error), mask);
      }
    },
  };
}
