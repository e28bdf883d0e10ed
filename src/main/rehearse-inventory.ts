import { loadOperation } from '../app/catalogue/load-operation.ts';
import type { ServedHost } from '../app/inventory/prepare-inventories.ts';
import type { Caller } from '../app/kernel/caller.ts';
import type { Executor } from '../app/kernel/executor.ts';
import type { StreamOperation } from '../app/kernel/operation.ts';
import type { PluginRegistry } from '../app/kernel/plugin-host/registry.ts';
import { AppError } from '../ports/index.ts';

/**
 * Requests a host as a client would, and discards the answer: the first run is slow on both sides of a thread, and no client
 * waits for it yet. Writes nothing to the audit log, which a host whose rules show a secret would; no such host is prepared.
 */
export async function rehearseInventory(
  executor: Executor,
  plugins: PluginRegistry,
  caller: Caller,
  served: ServedHost,
): Promise<void> {
  const operation = (await loadOperation(plugins, 'inventory/render-inventory')) as StreamOperation | undefined;
  if (operation === undefined) return;
  try {
    const { body } = await executor.stream(operation, { kind: 'value', value: served }, caller);
    for await (const _ of body);
  } catch (error) {
    // Told to the first who asks, or the service stops.
    if (!(error instanceof AppError)) throw error;
  }
}
