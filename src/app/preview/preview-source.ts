import { textOf, worded } from '../../kit/worded.ts';
import {
  AppError,
  type JsonObject,
  type Labels,
  type SkippedRecord,
  type Source,
  type SourceRelation,
} from '../../ports/index.ts';
import { inspectLabels } from '../hosts/decisions/labels.ts';
import { type PreparerSettings, RecordPreparer } from '../runs/import/decisions/prepare-record.ts';

/** The result that one record of a source would have. */
export type RecordPreview =
  | {
      readonly position: string;
      /** As the source has it. */
      readonly name: string;
      readonly hostname: string;
      readonly labels: Labels;
      readonly inventory: Readonly<Record<string, JsonObject>>;
      readonly relations?: readonly SourceRelation[];
      /** `serial=J4711` */
      readonly keys?: readonly string[];
    }
  | {
      readonly position: string;
      readonly name: string;
      readonly problem: string;
      /** Labels of a record without a name. */
      readonly labels?: Labels;
    };

/**
 * Reads the first records and says what they would become; stores nothing. Throws what the source throws, and
 * `AppError('failed')` when it has no records.
 */
export async function previewSource(
  source: Source,
  settings: PreparerSettings,
  { limit = 3, signal }: { readonly limit?: number; readonly signal: AbortSignal },
): Promise<readonly RecordPreview[]> {
  const preparer = new RecordPreparer(settings);
  const previews: RecordPreview[] = [];
  let leftOut = 0;
  for await (const items of source.read({ signal, progress: () => undefined })) {
    for (const item of items) {
      if (previews.length >= limit) return previews;
      if (item.kind === 'gap') {
        previews.push({
          position: textOf(item.what),
          name: '',
          problem: `could not be read: ${textOf(item.reason)}`,
        });
        continue;
      }
      if (item.kind === 'bookmark') continue;
      if (item.kind === 'left_out') {
        leftOut += item.count;
        continue;
      }
      const { position } = item;
      if (item.kind === 'skipped') {
        previews.push({ position, name: item.hostname ?? '', problem: textOf(item.reason), ...labelsOf(item) });
      } else {
        const name = item.hostname;
        for (const prepared of preparer.prepare(item)) {
          if (previews.length >= limit) return previews;
          if (!prepared.ok) previews.push({ position, name, problem: textOf(prepared.reason) });
          else {
            const { hostname, labels, inventory, relations, keys } = prepared.record;
            const sections = Object.fromEntries(inventory.map(({ key, section }) => [key, section.value]));
            const edges = relations === undefined ? {} : { relations: relations.edges };
            const known = keys === undefined || keys.texts.length === 0 ? {} : { keys: keys.texts };
            previews.push({ position, name, hostname, labels: labels.value, inventory: sections, ...edges, ...known });
          }
        }
      }
    }
    if (previews.length >= limit) return previews;
  }
  if (previews.length === 0 && !settings.options.allow_empty) {
    const all =
      leftOut === 1
        ? worded`the only record of the source is left out by options or processors of the account`
        : worded`all ${{ count: String(leftOut) }} records of the source are left out by options or processors of the account`;
    throw new AppError('failed', leftOut === 0 ? worded`the source has no records` : all);
  }
  return previews;
}

/** The members of a record without a name, as far as they could become labels. */
function labelsOf({ labels }: SkippedRecord): { readonly labels?: Labels } {
  const inspected = labels === undefined ? undefined : inspectLabels(labels);
  return inspected?.ok === true ? { labels: inspected.value } : {};
}
