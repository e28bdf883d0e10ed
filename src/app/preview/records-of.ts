import type { Account } from '../accounts/account-directory.ts';
import { sourceTypeOf } from '../accounts/account-types.ts';
import { guarded } from '../kernel/plugin-host/guard.ts';
import type { OpenedSource } from '../runs/import/open-source.ts';
import type { RunServices } from '../runs/services.ts';
import { previewSource, type RecordPreview } from './preview-source.ts';

/** The first records of an opened source. What is said of them has no secrets of the account. */
export async function recordsOf(
  services: RunServices,
  account: Account,
  opened: OpenedSource,
  { limit, signal }: { readonly limit?: number; readonly signal: AbortSignal },
): Promise<readonly RecordPreview[]> {
  const { pluginId } = sourceTypeOf(services, account);
  const call = {
    pluginId,
    what: `reading account ${account.name}`,
    timeoutSeconds: services.config.PLUGIN_TIMEOUT_SECONDS,
    signal,
  };
  const { WORTHLESS_VALUES: worthless } = services.config;
  const { common: options, hostnameField, template } = opened;
  const settings = { options, hostnameField, template, worthless };
  const records = await guarded(call, (inner) =>
    previewSource(opened.source, settings, { signal: inner, ...(limit === undefined ? {} : { limit }) }),
  );
  return records.map((record) => ({
    ...record,
    position: opened.mask(record.position),
    ...('problem' in record ? { problem: opened.mask(record.problem) } : {}),
  }));
}
