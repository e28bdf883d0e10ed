import { nameTrouble } from '../../kit/names/ansible-names.ts';
import { identifierOf } from '../../kit/names/variable-names.ts';
import type { InventoryHost, Logger } from '../../ports/index.ts';
import { LeftOut } from './left-out.ts';
import { DocumentWriter, Members, type RenderOptions } from './render.ts';

/** A name that a consumer does not get or cannot take as it is, and why. */
export interface TroubledName {
  readonly name: string;
  readonly reason: string;
}

const ignore = (): void => undefined;
/** The report is what would be logged. */
export const SILENT: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => SILENT };
/** Different variables that are counted. */
const MOST_NAMES = 1_000;
const RESERVED = 'it has another meaning in Ansible; rename it by a rewrite rule of the project';
const REFUSED = 'Ansible warns of this name, and later versions refuse it;';

/** Writes the inventory to nowhere, and keeps what it says of names. */
export async function reportOfNames(
  batches: AsyncIterable<readonly InventoryHost[]>,
  options: Omit<RenderOptions, 'logger'>,
  most: number,
): Promise<readonly TroubledName[]> {
  const leftOut = new LeftOut(SILENT);
  const writer = new DocumentWriter({ ...options, logger: SILENT }, leftOut);
  const members = new Members();
  const variables = new Map<string, number>();
  let seen = 0;
  for await (const batch of batches) {
    if (seen >= most) break;
    seen += batch.length;
    for (const host of batch) {
      const written = writer.host(host);
      if (written === undefined) continue;
      members.add(written.name, written.groups);
      for (const name of Object.keys(JSON.parse(written.text.slice(written.name.length + 1)))) {
        if (nameTrouble(name) === undefined || (variables.size >= MOST_NAMES && !variables.has(name))) continue;
        variables.set(name, (variables.get(name) ?? 0) + 1);
      }
    }
  }
  for (const _piece of writer.tail(members));
  const reasonOf = (name: string): string => {
    if (nameTrouble(name) === 'reserved') return RESERVED;
    const made = identifierOf(name);
    return made === name
      ? `${REFUSED} rename it by a rewrite rule of the project`
      : `${REFUSED} INVENTORY_VARIABLE_NAMES=identifier serves ${made}`;
  };
  return [
    ...leftOut.findings(),
    ...[...variables]
      .sort(([, a], [, b]) => b - a)
      .map(([name, hosts]) => {
        return { name: `variable ${name} (${hosts === 1 ? '1 host' : `${hosts} hosts`})`, reason: reasonOf(name) };
      }),
  ];
}
