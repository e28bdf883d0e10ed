import { sameValue } from '../../../kit/json/json-text.ts';
import { type JsonObject, StoredJson } from '../../../ports/index.ts';
import { labelChanges } from './decisions/label-changes.ts';
import type { PreparedRecord } from './decisions/prepare-record.ts';
import { outcomeOf, sweep } from './own-mode.ts';
import { DUPLICATE, type HostDiff, type WriteMode, type WriteModeContext, type WriteOutcome } from './write-mode.ts';

const NO_LABELS = StoredJson.ofValue<JsonObject>({});

/**
 * What `ownMode` would do, without doing it. Nothing is stored, so the names that were seen are held in memory: about
 * 10 MB for 100,000 hosts.
 */
export function ownDryRun(context: WriteModeContext, onDiff: ((diff: HostDiff) => void) | undefined): WriteMode {
  const seen = new Set<string>();

  /** The records whose inventory alone would change their host. */
  async function inventoryChanged(records: readonly PreparedRecord[]): Promise<ReadonlySet<PreparedRecord>> {
    const present = await context.hosts.findEach(records.map(({ hostname }) => hostname));
    return new Set(
      records.filter(({ inventory }, index) =>
        inventory.some(({ key, section }) => !sameValue(present[index]?.inventory.value[key], section.value)),
      ),
    );
  }

  return {
    async write(records, as) {
      const fresh = records.filter(({ hostname }) => {
        if (seen.has(hostname)) return false;
        seen.add(hostname);
        return true;
      });
      const { account } = context;
      const previews = await context.hosts.previewLabels({
        account: as ?? account,
        entries: fresh,
        takeOver: account.isMaster,
      });
      const outcomes = new Map<PreparedRecord, WriteOutcome>();
      const changed = await inventoryChanged(
        fresh.filter(({ inventory }, index) => inventory.length > 0 && previews[index]?.outcome === 'unchanged'),
      );
      for (const [index, record] of fresh.entries()) {
        const preview = previews[index];
        if (preview === undefined) continue;
        const outcome = changed.has(record) ? 'updated' : outcomeOf(preview.outcome);
        outcomes.set(record, outcome);
        if (onDiff !== undefined && (outcome === 'created' || outcome === 'updated')) {
          const changes = labelChanges((preview.before ?? NO_LABELS).value, record.labels.value);
          onDiff({ hostname: record.hostname, outcome, changes });
        }
      }
      return records.map((record) => outcomes.get(record) ?? DUPLICATE);
    },
    finish: (except) => sweep(context, new Set([...seen, ...except]), true),
  };
}
