import type { ObjectReference } from '../../../ports/index.ts';
import { isOurs } from './decisions/match-object.ts';
import type { PlanWork } from './plan-in-making.ts';
import { joined } from './plan-tables.ts';

interface Part extends ObjectReference {
  /** The key that it has in the system, where that is another one. */
  readonly previousKey?: string | null;
  readonly after?: readonly ObjectReference[];
}

type Work = Pick<PlanWork, 'opened' | 'tables'>;

/** Wholes of wholes, which a plugin may declare in a circle. */
const DEEPEST = 10;

/**
 * Returns a whole that an object is part of, at present or as wanted, and that is not ours: nothing of it is written or deleted.
 * `undefined` if all wholes are ours, or have no owner and the account adopts such objects. References, such as the site of a
 * device, may belong to anyone.
 */
export async function foreignWhole(work: Work, part: Part, depth = 0): Promise<ObjectReference | undefined> {
  const { opened, tables } = work;
  if (depth > DEEPEST) return undefined;
  for (const whole of wholesOf(work, part)) {
    const kind = opened.kinds.get(whole.kind);
    const place = joined(whole.kind, whole.key);
    const remote = tables.remote.one(place);
    if (kind === undefined || kind.ensured === true || kind.shared === true) continue;
    if (remote !== undefined && remote.twice !== true) {
      const owned = tables.owned.one(place) ?? (await tables.ownedAs(whole.kind, remote));
      const isTaken = opened.options.adopt && remote.owner === 'nobody';
      if (!isTaken && !isOurs(kind, remote, owned)) return whole;
    } else if (remote !== undefined) return whole;
    const after = tables.drafts.one(place)?.after ?? [];
    const outer = await foreignWhole(work, { ...whole, after }, depth + 1);
    if (outer !== undefined) return outer;
  }
  return undefined;
}

function wholesOf(
  { opened: { kinds }, tables }: Work,
  { kind: id, key, previousKey, after = [] }: Part,
): readonly ObjectReference[] {
  const { of, within, partOf = [] } = kinds.get(id) ?? {};
  const holders = new Set([of, within, ...partOf]);
  const found = after.filter(({ kind }) => holders.has(kind));
  if (of !== undefined) found.push({ kind: of, key });
  const remote = tables.remote.one(joined(id, previousKey ?? key));
  if (remote?.partOf !== undefined) found.push(...remote.partOf);
  if (within === undefined) return found;
  // Names of wholes may have slashes in them.
  for (const name of [key, previousKey ?? key]) {
    for (let end = name.indexOf('/'); end > 0; end = name.indexOf('/', end + 1)) {
      const outer = name.slice(0, end);
      if (tables.remote.one(joined(within, outer)) !== undefined) found.push({ kind: within, key: outer });
    }
  }
  return found;
}

export function foreignText({ kind, key }: ObjectReference): string {
  return `belongs to ${kind} ${key}, which was not made by Muster`;
}
