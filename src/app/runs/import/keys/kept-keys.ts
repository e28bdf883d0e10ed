import type { Clock, HostMark, KeyedHost, MarkStore } from '../../../../ports/index.ts';
import type { PreparedRecord } from '../decisions/prepare-record.ts';
import { NamedKeys } from './named-keys.ts';

export interface KeptKeysSettings {
  readonly accountId: string;
  readonly marks: Pick<MarkStore, 'putKeys'>;
  readonly clock: Clock;
}

/** The keys that the account keeps of its records: the store is told those that it does not have yet. */
export class KeptKeys {
  readonly #settings: KeptKeysSettings;
  readonly #unstored = new WeakMap<PreparedRecord, readonly string[]>();
  /** Those that the run named; what is stored besides is taken back after it. */
  readonly named = new NamedKeys();

  constructor(settings: KeptKeysSettings) {
    this.#settings = settings;
  }

  /** Notes which keys of the records the account does not know their hosts by so far. */
  compare(records: readonly PreparedRecord[], byKey: ReadonlyMap<string, readonly HostMark[]>): void {
    const { accountId } = this.#settings;
    for (const record of records) {
      const { hostname, keys } = record;
      if (keys === undefined || keys.texts.length === 0) continue;
      const isStored = (key: string): boolean => {
        for (const mark of byKey.get(key) ?? []) {
          if (mark.hostname === hostname && mark.accountId === accountId) return true;
        }
        return false;
      };
      this.#unstored.set(
        record,
        keys.texts.filter((key) => !isStored(key)),
      );
    }
  }

  /** Keys of a record that was compared; `undefined` for another. */
  unstoredOf(record: PreparedRecord): readonly string[] | undefined {
    return this.#unstored.get(record);
  }

  async keep(records: readonly PreparedRecord[]): Promise<void> {
    const { accountId, marks, clock } = this.#settings;
    const added: KeyedHost[] = [];
    for (const record of records) {
      const { hostname, keys } = record;
      if (keys === undefined) continue;
      for (const value of keys.texts) this.named.add(hostname, value);
      for (const value of this.#unstored.get(record) ?? keys.texts) added.push({ hostname, value });
    }
    await marks.putKeys({ accountId, keys: added, at: clock.now() });
  }
}
