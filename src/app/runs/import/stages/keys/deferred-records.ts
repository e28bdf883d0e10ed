import {
  type JsonObject,
  type Labels,
  type Scratch,
  type ScratchTable,
  StoredJson,
} from '../../../../../ports/index.ts';
import type { PreparedRecord } from '../../decisions/prepare-record.ts';

const RECORDS_A_BATCH = 500;

/** Records deferred to the end of the read, in a scratch, so that they may be all of the source. */
export class DeferredRecords {
  readonly #open: () => Promise<Scratch>;
  #scratch: Scratch | undefined;
  #records: ScratchTable | undefined;
  #claims: ScratchTable | undefined;

  constructor(open: () => Promise<Scratch>) {
    this.#open = open;
  }

  /** Whether a record of that name is deferred. */
  has(hostname: string): boolean {
    return this.#records?.get([hostname])[0] !== undefined;
  }

  /** True while no record is deferred. */
  get isEmpty(): boolean {
    return this.#records === undefined;
  }

  /** `claimed` are the hosts that the record may be. */
  async add(record: PreparedRecord, claimed: readonly string[]): Promise<void> {
    this.#scratch ??= await this.#open();
    this.#records ??= this.#scratch.table('records');
    this.#claims ??= this.#scratch.table('claims');
    this.#records.put([[record.hostname, textOf(record)]]);
    const counts = this.#claims.get(claimed);
    this.#claims.put(claimed.map((hostname, index) => [hostname, `${Number(counts[index] ?? 0) + 1}`]));
  }

  /** How many deferred records may be that host. */
  claims(hostname: string): number {
    return Number(this.#claims?.get([hostname])[0] ?? 0);
  }

  /** All deferred records, by hostname. */
  *batches(): Generator<readonly PreparedRecord[]> {
    let after: string | undefined;
    while (this.#records !== undefined) {
      const rows = this.#records.page({ limit: RECORDS_A_BATCH, ...(after === undefined ? {} : { after }) });
      if (rows.length === 0) return;
      yield rows.map(([, text]) => recordOf(text));
      after = rows.at(-1)?.[0];
    }
  }

  close(): void {
    this.#scratch?.close();
    this.#scratch = undefined;
    this.#records = undefined;
    this.#claims = undefined;
  }
}

interface Kept extends Omit<PreparedRecord, 'labels' | 'inventory'> {
  readonly labels: string;
  readonly inventory: readonly { readonly key: string; readonly section: string }[];
}

function textOf({ labels, inventory, ...record }: PreparedRecord): string {
  const sections = inventory.map(({ key, section }) => ({ key, section: section.text }));
  const kept: Kept = { ...record, labels: labels.text, inventory: sections };
  return JSON.stringify(kept);
}

function recordOf(text: string): PreparedRecord {
  const { labels, inventory, ...record } = JSON.parse(text) as Kept;
  return {
    ...record,
    labels: StoredJson.ofText<Labels>(labels),
    inventory: inventory.map(({ key, section }) => ({ key, section: StoredJson.ofText<JsonObject>(section) })),
  };
}
