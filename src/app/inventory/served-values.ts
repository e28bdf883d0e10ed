import { quotedPart } from '../../kit/json/quoted-part.ts';
import { valuesAt } from '../../kit/json/values-at.ts';
import { type InventoryHost, type JsonObject, type LabelScalar, StoredJson } from '../../ports/index.ts';
import type { RenderMode } from './render.ts';
import { servedText } from './served-host.ts';

/** The served values of an inventory's hosts at one place, by hostname. Hosts without a value there are left out. */
export type ServedValues = ReadonlyMap<string, readonly LabelScalar[]>;

const NONE: readonly LabelScalar[] = [];

/** For each of the places, in one go over the hosts. */
export async function servedValues(
  batches: AsyncIterable<readonly InventoryHost[]>,
  render: RenderMode,
  paths: readonly (readonly string[])[],
): Promise<readonly ServedValues[]> {
  // Texts that a template could be made of are compared as they are.
  const plain: RenderMode = { ...render, templateText: 'serve' };
  const found = paths.map((path) => ({ path, values: new Map<string, readonly LabelScalar[]>() }));
  for await (const hosts of batches) {
    for (const host of hosts) {
      for (const { path, values } of found) {
        const given = mayHave(host, path, render) ? valuesOf(host, path, plain) : NONE;
        if (given.length > 0) values.set(host.hostname, given);
      }
    }
  }
  return found.map(({ values }) => values);
}

/** Most hosts that have nothing there are known by their text, which costs less than rendering them. */
function mayHave({ variables, expressions }: InventoryHost, path: readonly string[], { names }: RenderMode): boolean {
  return (
    names !== 'keep' || expressions !== undefined || path.every((name) => variables.text.includes(quotedPart(name)))
  );
}

function valuesOf(host: InventoryHost, path: readonly string[], render: RenderMode): readonly LabelScalar[] {
  const text = servedText(host, render, true);
  return text === undefined ? NONE : valuesAt(StoredJson.ofText<JsonObject>(text), path);
}
