import { isJsonObject } from '../../../kit/json/json-object.ts';
import {
  AppError,
  type EvaluatedHost,
  type HostRecord,
  type JsonObject,
  type PlanRule,
  type TargetKind,
  type TargetRecord,
  type WantedObject,
} from '../../../ports/index.ts';
import { shown } from '../../hosts/decisions/check.ts';
import { fieldOf } from './decisions/canonical.ts';
import type { OpenedObjectTarget } from './open-object-target.ts';
import { keyProblem } from './read-remote.ts';

/** An object that a target wants, checked. */
export interface DesiredObject {
  readonly object: WantedObject;
  readonly kind: TargetKind;
}

type CheckingTarget = Pick<OpenedObjectTarget, 'kinds' | 'pluginId' | 'mask'>;

/** A record as a target gets it. */
export function targetRecord(record: HostRecord, evaluated: EvaluatedHost): TargetRecord {
  const { hostname, variables, groups, expressions, outcomes = {} } = evaluated;
  const { objectType, isObject } = record;
  const handed = { hostname, variables, groups, outcomes, objectType, isObject };
  return expressions === undefined ? handed : { ...handed, expressions };
}

/** Throws when the target wants what it does not declare: plugins are written in plain JavaScript too. */
export function desiredObjects(
  opened: CheckingTarget,
  record: TargetRecord,
  objects: readonly WantedObject[],
): readonly DesiredObject[] {
  const { hostname } = record;
  if (!Array.isArray(objects)) throw pluginFault(opened, hostname, 'something other than a list of objects');
  return objects.map((object) => desiredObject(opened, record, object));
}

function desiredObject(opened: CheckingTarget, record: TargetRecord, object: WantedObject): DesiredObject {
  const { hostname } = record;
  const kind = opened.kinds.get(object.kind);
  if (kind === undefined)
    throw pluginFault(opened, hostname, `the kind ${shown(String(object.kind))}, which it does not declare`);
  const problem = keyProblem(object.key);
  if (problem !== undefined)
    throw pluginFault(opened, hostname, `an object of the kind ${kind.id} whose key ${problem}`);
  if (!isJsonObject(object.fields))
    throw pluginFault(opened, hostname, `${kind.id} ${shown(object.key)} without fields`);
  if (object.initial !== undefined && !isJsonObject(object.initial))
    throw pluginFault(opened, hostname, `${kind.id} ${shown(object.key)} whose initial fields are not an object`);
  const unknown = undeclared(kind, object.fields) ?? (object.initial && undeclared(kind, object.initial));
  if (unknown !== undefined) {
    throw pluginFault(opened, hostname, `the field ${shown(unknown)} of ${kind.id}, which it does not declare`);
  }
  return { object, kind };
}

function undeclared(kind: TargetKind, fields: JsonObject): string | undefined {
  return Object.keys(fields).find((name) => fieldOf(kind, name) === undefined);
}

/** The rule of the target that wants an object so, by its id. */
export function ruleOf({ outcomes }: TargetRecord, { rule: id }: WantedObject): PlanRule | null {
  if (id === undefined) return null;
  for (const [type, decided] of Object.entries(outcomes)) {
    const found = decided.find(({ rule }) => rule.id === id);
    if (found !== undefined) return { id, type, name: found.rule.name };
  }
  return { id, type: '', name: '' };
}

function pluginFault({ pluginId, mask }: CheckingTarget, hostname: string, what: string): AppError {
  return new AppError('failed', mask(`plugin ${pluginId}: the target wants ${what} for ${hostname}`));
}
