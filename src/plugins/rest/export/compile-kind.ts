import type { RequestValues } from '../../../kit/http-account/request-template.ts';
import { headersOf } from '../../../kit/options/http-headers.ts';
import { AppError, type JsonValue, type TargetField, type TargetKind } from '../../../ports/index.ts';
import { type Join, joinsOf } from '../join.ts';
import { type RepeatedList, repeatedLists } from '../repeated-lists.ts';
import type { KindDeclaration } from './declaration.ts';
import type { TargetOptions } from './options.ts';
import { compileText, type TextTemplate } from './text-template.ts';
import { compileWanted, type Wanting } from './wanted.ts';
import { compileWrites, type Writes } from './write-request.ts';

export interface CompiledField {
  readonly name: string;
  /** The path of the value in a record; `undefined` if records do not have it. */
  readonly member: string | undefined;
  readonly reference: string | undefined;
  readonly type: 'text' | 'number' | 'flag' | undefined;
}

/** One kind of objects, with everything that is done with them. */
export interface CompiledKind {
  readonly declared: TargetKind;
  /** Read one after the other. */
  readonly lists: readonly RepeatedList[];
  readonly joins: readonly Join[];
  /** The member of the key, or a template of the members. */
  readonly key: string | TextTemplate;
  readonly id: string;
  readonly hasNumericIds: boolean;
  readonly etag: string | undefined;
  readonly owner: { readonly member: string; readonly ours: string; readonly others: 'other' | 'nobody' } | undefined;
  readonly fields: readonly CompiledField[];
  readonly wanted: Wanting;
  readonly writes: Writes;
}

/** Throws `AppError('invalid_input')` for what cannot work, and says where. */
export function compileKinds(
  declarations: readonly KindDeclaration[],
  options: TargetOptions,
  values: RequestValues,
): readonly CompiledKind[] {
  const names = declarations.map(({ kind }) => kind);
  return declarations.map((declaration, index) => {
    const { kind, fields, wanted } = declaration;
    for (const [field, { reference }] of Object.entries(fields)) {
      if (reference === undefined || names.slice(0, index).includes(reference)) continue;
      throw invalid(`objects ${kind}.${field} refers to ${reference}, which is not a kind before ${kind}`);
    }
    for (const { kind: after } of wanted.after) {
      if (!names.slice(0, index + 1).includes(after)) {
        throw invalid(`objects ${kind}.wanted comes after ${after}, which is not a kind before it`);
      }
    }
    const unknown = Object.keys(wanted.fields).find((field) => !Object.hasOwn(fields, field));
    if (unknown !== undefined) throw invalid(`objects ${kind}.wanted has ${unknown}, which is not among its fields`);
    // An object that each host has one of is a whole with parts; a shared one, such as a group, is only referred to.
    const partOf = declarations
      .slice(0, index)
      .filter((other) => /\bHOSTNAME\b/.test(other.wanted.key) && other.wanted.each === undefined)
      .map((other) => other.kind)
      .filter((other) => wanted.after.some((after) => after.kind === other) || refersTo(fields, other));
    return compileKind(declaration, options, values, partOf);
  });
}

function refersTo(fields: KindDeclaration['fields'], kind: string): boolean {
  return Object.values(fields).some(({ reference }) => reference === kind);
}

function compileKind(
  declaration: KindDeclaration,
  options: TargetOptions,
  values: RequestValues,
  partOf: readonly string[],
): CompiledKind {
  const { kind, title, read, join, key, id, numeric_ids, etag, owner, fields, wanted } = declaration;
  const headers = {
    ...headersOf('custom_headers', options.custom_headers ?? ''),
    ...headersOf('request_headers', options.request_headers ?? ''),
  };
  const request = { ...read, protocol: read.protocol ?? options.protocol };
  const compiled = Object.entries(fields).map(([name, { member, reference, type }]) => ({
    name,
    member: member === null ? undefined : (member ?? name),
    reference,
    type,
  }));
  const writes = compileWrites(declaration, options, values);
  const sizes = Object.values(writes).flatMap((steps) => steps.map(({ many }) => many?.size ?? 1));
  return {
    declared: {
      id: kind,
      title,
      batch: Math.max(1, ...sizes),
      ...(partOf.length > 0 && { partOf }),
      fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, declaredField(field)])),
    },
    lists: repeatedLists(request, values, headers),
    joins: joinsOf(join, values, headers),
    key: /\{\{|\{%/.test(key) ? compileText(`objects ${kind}.key`, key) : key,
    id,
    hasNumericIds: numeric_ids,
    etag,
    owner:
      owner === undefined
        ? undefined
        : { ...owner, ours: compileText(`objects ${kind}.owner.ours`, owner.ours)(values) },
    fields: compiled,
    wanted: compileWanted(kind, wanted, compiled, parametersOf(values)),
    writes,
  };
}

function declaredField({ compare, once, secret }: KindDeclaration['fields'][string]): TargetField {
  return { compare, ...(once ? { once } : {}), ...(secret ? { secret } : {}) };
}

/** Without secrets: what a host wants is shown in plans. */
function parametersOf(values: RequestValues): Readonly<Record<string, JsonValue>> {
  const { password: _, api_token: __, ...parameters } = values;
  return parameters;
}

function invalid(message: string): AppError {
  return new AppError('invalid_input', message);
}
