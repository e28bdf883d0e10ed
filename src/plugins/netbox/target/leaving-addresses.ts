import type { Change, JsonObject } from '../../../ports/index.ts';
import { readAddress } from './names.ts';

const FIELDS = ['primary_ip4', 'primary_ip6'] as const;

/**
 * Addresses that are to go to other machines, and that NetBox keeps where they are because they are the primary ones there. Where machines
 * exchange theirs, none can get the one that it wants before another one has none.
 */
export class LeavingAddresses {
  readonly #leaving = new Set<string>();

  /** An address whose change NetBox refused because of that. */
  add({ current }: Change): void {
    const address = readAddress(String(current?.address ?? ''));
    if (address === undefined || typeof current?.assigned_to !== 'string') return;
    const [, port = ''] = /^(?:vm_)?interface (.*)$/s.exec(current.assigned_to) ?? [];
    // Names of machines and of interfaces may have slashes in them.
    for (let end = port.indexOf('/'); end > 0; end = port.indexOf('/', end + 1)) {
      this.#leaving.add(`${port.slice(0, end)} ${address.host}`);
    }
  }

  /** The primary addresses that a machine has to give up before, as NetBox takes it; `undefined` where none of them leaves. */
  givenUp({ key, before = {}, fields }: Change): JsonObject | undefined {
    const names = FIELDS.filter(
      (name) => name in fields && typeof before[name] === 'string' && this.#leaving.has(`${key} ${before[name]}`),
    );
    return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, null]));
  }
}
