import { worded } from '../../kit/worded.ts';
import { AppError, type ReadContext, type SourceItem } from '../../ports/index.ts';
import { type RestRequest, readRest } from './read.ts';
import type { SystemPart } from './system-parts.ts';

export interface PartRequest {
  readonly request: RestRequest;
  /** The options of the account, those of parts too. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Reads one part of a system, by default the first. Its records name their part, unless they fill sections. */
export async function* readPart(
  { request, given }: PartRequest,
  parts: readonly SystemPart[],
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const part = parts.find(({ id }) => id === context.part) ?? parts[0];
  if (part === undefined) return;
  if (part.isRelated === true) {
    if (context.inventorizes !== true)
      throw new AppError(
        'invalid_input',
        worded`the part ${{ part: part.id }} only fills sections of hosts that exist; the job ServiceNow: Inventorize data reads it`,
      );
    const { readRelated } = await import('./service-now/read-related.ts');
    yield* readRelated({ request, related: given }, context);
    return;
  }
  const inventory = context.inventorizes === true ? part.inventory : undefined;
  const options = { ...request.options, preset: part.preset, ...part.options, ...inventory?.options };
  const fills = inventory === undefined ? {} : { fills: inventory.fills };
  for await (const items of readRest({ ...request, options, ...fills }, context)) {
    yield context.inventorizes === true ? items : items.map((item) => withPart(item, part.id));
  }
}

function withPart(item: SourceItem, part: string): SourceItem {
  return item.kind === 'record' ? { ...item, part } : item;
}
