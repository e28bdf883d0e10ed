import { isJsonObject } from '../../../kit/json/json-object.ts';
import { type ExportFailure, MAX_REPORTED_HOSTS, shortReason } from '../../../kit/summaries/export-summary.ts';
import {
  AppError,
  type Clock,
  type HostScope,
  type HostStore,
  type JsonObject,
  NO_PLAN_COUNTS,
  type ObjectReference,
  type OwnershipStore,
  type PlanCounts,
  type PlanEntry,
  type SecretBox,
} from '../../../ports/index.ts';
import type { OpenedObjectTarget } from './open-object-target.ts';
import type { PlanTables } from './plan-tables.ts';
import type { Gaps } from './read-remote.ts';

/** An opened target and the tables that are filled from it: what making a plan and applying one work with. */
export interface PlanWork {
  readonly accountId: string;
  /** Its name. */
  readonly account: string;
  readonly opened: OpenedObjectTarget;
  readonly tables: PlanTables;
  readonly ownership: OwnershipStore;
  readonly clock: Clock;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  secrets(): SecretBox;
}

/** A plan in the making. */
export interface PlanInMaking extends PlanWork {
  readonly hosts: Pick<HostStore, 'scan' | 'count'>;
  readonly scope: HostScope;
  /** True remembers nothing. */
  readonly dryRun: boolean;
  readonly tally: PlanTally;
  /** The kinds that were not read completely. */
  readonly gaps: Gaps;
  /** Takes the entries, in their order. */
  onEntries(entries: readonly PlanEntry[]): Promise<void>;
  /** `done` and `total` are records of the store. */
  progress?(progress: { readonly done: number; readonly total: number; readonly note: string }): void;
}

type Counted = keyof PlanCounts;

/** Counts while a plan is made. */
export class PlanTally {
  /** Records that the rules let through. */
  records = 0;
  /** Number of records whose desired objects are unknown. */
  failed = 0;
  /** Records, or objects, that something went wrong with. */
  readonly named: ExportFailure[] = [];
  /** Unchanged objects that belong to others, or that need not be there. */
  notOurs = 0;
  /** By kind, the number of objects that Muster made and that the system no longer shows. */
  readonly missing = new Map<string, number>();
  readonly #counts: Record<Counted, number> = { ...NO_PLAN_COUNTS };

  count(what: Counted, by = 1): void {
    this.#counts[what] += by;
  }

  miss(kind: string): void {
    this.missing.set(kind, (this.missing.get(kind) ?? 0) + 1);
  }

  failure(hostname: string, reason: string): void {
    this.failed++;
    this.note(hostname, reason);
  }

  note(hostname: string, reason: string): void {
    if (this.named.length < MAX_REPORTED_HOSTS) this.named.push({ hostname, reason: shortReason(reason) });
  }

  get counts(): PlanCounts {
    return { ...this.#counts };
  }

  /** How many objects there are ours now. */
  get owned(): number {
    const { unchanged, update, move, delete: deleted, kept } = this.#counts;
    return unchanged - this.notOurs + update + move + deleted + kept;
  }
}

type Sealing = Pick<PlanWork, 'accountId' | 'secrets'>;

/** Seals the secret fields of an object. */
export function sealSecrets({ accountId, secrets }: Sealing, fields: JsonObject, object: ObjectReference) {
  return secrets().seal(JSON.stringify(fields), ownershipPlace(accountId, object));
}

/** The secret fields that were sealed; `undefined` when they do not open any more, such as after a change of the instance key. */
export async function openSecrets(
  { accountId, secrets }: Sealing,
  sealed: string,
  object: ObjectReference,
): Promise<JsonObject | undefined> {
  try {
    const value = JSON.parse(await secrets().open(sealed, ownershipPlace(accountId, object)));
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The place that secret fields of an object are sealed for. */
function ownershipPlace(accountId: string, { kind, key }: ObjectReference): string {
  return `remote object/${accountId}/${kind}/${key}`;
}
