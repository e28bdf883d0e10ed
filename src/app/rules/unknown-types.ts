import {
  type Clock,
  type ExportGroup,
  type RuleType,
  type RuleWrite,
  type Storage,
  StoredJson,
} from '../../ports/index.ts';
import { MARKS, OWN_TYPES, type PluginRegistry } from '../kernel/plugin-host/registry.ts';

/** Limit on unknown types that are kept: each has a small cost wherever types are listed. */
export const MAX_KEPT_TYPES = 200;

const IDENT = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

/** Stored rules of a type that nothing here acts on. */
export interface InertType {
  readonly ident: string;
  readonly count: number;
  /** True if no plugin ever acted on them: they are kept for one that will, and take part in nothing. */
  readonly kept: boolean;
}

type Known = Pick<PluginRegistry, 'ruleTypeIds' | 'ruleType'>;

/** Idents of the types that documents act by, or that the program itself reads. */
function engineTypeIds(plugins: Known): readonly string[] {
  return plugins.ruleTypeIds().filter((ident) => plugins.ruleType(ident)?.kept === undefined);
}

/** The idents of all types whose documents cannot be missing from the rules: nothing depends on them, or something loaded acts on them. */
export function accountedTypeIds(plugins: Known): readonly string[] {
  const noRules = plugins.ruleTypeIds().filter((ident) => plugins.ruleType(ident)?.kept?.noRule === true);
  return [...engineTypeIds(plugins), ...noRules];
}

/** Returns the types of stored rules that no loaded plugin acts on, by ident: kept and unknown ones. */
export async function inertTypes({ rules }: Pick<Storage, 'rules'>, plugins: Known): Promise<readonly InertType[]> {
  const accounted = new Set([...accountedTypeIds(plugins), ...OWN_TYPES]);
  const inert = [...(await rules.counts())].filter(([ident, count]) => count > 0 && !accounted.has(ident));
  if (inert.length === 0) return [];
  const marked = new Set((await rules.list(MARKS)).map(({ name }) => name));
  return inert
    .map(([ident, count]) => ({ ident, count, kept: marked.has(ident) }))
    .sort((a, b) => (a.ident < b.ident ? -1 : 1));
}

/** Those of them that no loaded plugin knows at all. */
export async function unknownTypes(storage: Pick<Storage, 'rules'>, plugins: Known): Promise<readonly InertType[]> {
  return (await inertTypes(storage, plugins)).filter(({ ident }) => plugins.ruleType(ident) === undefined);
}

/** Stands for a type that no loaded plugin knows and that there are documents of; `undefined` when there are none. */
export async function storedUnknownType(
  { storage, plugins }: { readonly storage: Pick<Storage, 'rules'>; readonly plugins: Known },
  ident: string,
): Promise<RuleType | undefined> {
  const found = (await unknownTypes(storage, plugins)).some((type) => type.ident === ident);
  return found ? unknownRuleType(ident) : undefined;
}

/**
 * Takes the marks of types away that a plugin acts on now. From then on their documents are rules like all others: when the
 * plugin is gone one day, they are missed.
 */
export async function forgetMarks({ rules }: Pick<Storage, 'rules'>, plugins: Known, clock: Clock): Promise<void> {
  const engines = new Set(engineTypeIds(plugins));
  for (const { id, name } of await rules.list(MARKS)) {
    if (!engines.has(name)) continue;
    await rules.remove({ type: MARKS, id, at: clock.now(), actor: { kind: 'system', name: 'rules' } });
  }
}

export function markOf(ident: string, id: string): RuleWrite {
  const document = { _id: { $oid: id }, name: ident };
  return { type: MARKS, id, name: ident, uniqueName: true, document: StoredJson.ofValue(document), confirmedBy: null };
}

/** Why documents of an unknown type cannot be kept under this ident; `undefined` when they can. */
export function identFault(ident: string): string | undefined {
  if (OWN_TYPES.has(ident)) return 'is a name of the program itself';
  return IDENT.test(ident) ? undefined : 'must be letters, digits, _ and -, at most 100, and begin with a letter';
}

/** Returns a stand-in for an unknown type, for listing, exporting, importing and removing its documents. It checks nothing. */
export function unknownRuleType(ident: string): RuleType {
  const type: RuleType = {
    id: ident,
    aliases: [],
    title: ident,
    description: 'No loaded plugin knows this type: its documents are kept as they are.',
    kept: UNKNOWN,
    keyedBy: 'name',
    uniqueNames: false,
    conditional: false,
    exportGroup: exportGroupOf(ident),
    secretMembers: [],
    schema: { type: 'object' },
    check: () => [],
    // Its documents may name accounts in unknown ways, so callers restricted to accounts see none.
    visible: () => false,
  };
  STAND_INS.add(type);
  return type;
}

const UNKNOWN = { system: '', reason: 'wait for a plugin that knows the type' };

const STAND_INS = new WeakSet<RuleType>();

/** True for what `unknownRuleType` made. */
export function isUnknownRuleType(type: RuleType): boolean {
  return STAND_INS.has(type);
}

/** Types whose names suggest secrets of people or systems are exported only with the flag for them. */
function exportGroupOf(ident: string): ExportGroup {
  if (/user/i.test(ident)) return 'users';
  if (/account/i.test(ident)) return 'accounts';
  return /passw|secret|token|credential|key/i.test(ident) ? 'passwords' : 'rules';
}
