import { type ObjectTarget, StoredJson, type TargetRecord, type WantedObject } from '../../../ports/index.ts';
import { type OpenRequest, openRestTarget } from '../export/open-target.ts';
import { targetAccountOptions } from '../export/options.ts';
import { decidedObject } from './decided.ts';

const PRESET = 'i-doit';
const PARAMETERS = ['object_types', 'language', 'mark', 'delete_as'] as const;

export interface OpenIdoit extends Omit<OpenRequest, 'options' | 'parameters'> {
  readonly options: Readonly<Record<string, unknown>>;
}

/** The objects of an i-doit, as the rules of existing installations say them: the preset, which reads nothing but what they decided. */
export async function openIdoitTarget({ options: given, ...request }: OpenIdoit): Promise<ObjectTarget> {
  const known = Object.entries(given).filter(([name]) => Object.hasOwn(targetAccountOptions().shape, name));
  const parameters = PARAMETERS.flatMap((name) => (given[name] === undefined ? [] : [[name, String(given[name])]]));
  const target = await openRestTarget({
    ...request,
    options: { ...Object.fromEntries(known), preset: PRESET },
    parameters: Object.fromEntries(parameters),
  });
  return { ...target, wanted: (record) => wantedOf(target, record) };
}

function wantedOf(target: ObjectTarget, record: TargetRecord): readonly WantedObject[] {
  const outcomes = record.outcomes.idoit_rules ?? [];
  const decided = decidedObject(outcomes);
  if (decided === undefined) return [];
  const { fields, categories, rule } = decided;
  const wanted = target.wanted({ ...record, variables: StoredJson.ofValue(fields), outcomes: {} });
  return wanted.map((object) => ({
    ...object,
    ...(Object.keys(categories).length === 0 ? {} : { fields: { ...object.fields, categories } }),
    ...(outcomes.length === 0 ? {} : { rule: rule.id }),
  }));
}
