import { isIP } from 'node:net';
import { lookedUpFault } from '../../kit/names/entity-names.ts';
import type { JsonObject, JsonValue, TargetHost } from '../../ports/index.ts';
import { HostFault } from './shape.ts';

/** A host, as shapes and templates read it. */
export interface HostView {
  readonly hostname: string;
  readonly groups: readonly string[];
  readonly variables: JsonObject;
  readonly expressions: JsonObject;
  /** A variable by its name, or by a path into one; `undefined` when it is not there. */
  value(name: string): JsonValue | undefined;
  /** As one text; empty when it is not there. */
  text(name: string): string;
  /** The addresses in a variable, without the length of their network; empty when there is none. Throws `HostFault` for others. */
  addresses(name: string): readonly string[];
}

export function viewOf(host: TargetHost): HostView {
  const { hostname, groups, expressions = {} } = host;
  const variables = host.variables.value;
  const value = (name: string): JsonValue | undefined => {
    if (name === 'HOSTNAME') return hostname;
    if (Object.hasOwn(variables, name)) return variables[name];
    if (name === 'groups') return groups;
    return stepped(variables, name.split('.'));
  };
  return {
    hostname,
    groups,
    variables,
    expressions,
    value,
    text: (name) => textOf(value(name)),
    addresses: (name) => textsOf(value(name)).map((text) => addressOf(text, name)),
  };
}

function stepped(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as JsonObject)[step];
  }
  return value;
}

/** Returns a value as text, for places that allow only text: lists with commas, objects as JSON. */
export function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The texts of a value that may be one or a list; as one text they are separated by commas. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  const texts = Array.isArray(value) ? value.map(textOf) : textOf(value).split(',');
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

function addressOf(text: string, name: string): string {
  const [address = ''] = text.split('/');
  if (isIP(address) === 0 || address.includes('%'))
    throw new HostFault(`${name} is ${quoted(text)}, which is not an address`);
  return address;
}

/** A text of data in a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Letters, digits and dashes between dots, as names of hosts are in the DNS; elsewhere `_` too. */
export function isHostName(text: string, also = ''): boolean {
  const label =
    also === '' ? '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?' : '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
  return text.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`).test(text);
}

/** Throws for a name with characters other than letters, digits, dots, dashes and underscores. */
export function plainName({ hostname }: Pick<HostView, 'hostname'>, format: string): string {
  if (isHostName(hostname, '_')) return hostname;
  throw new HostFault(`its name cannot be used in ${format}; letters, digits, dots, dashes and underscores can`);
}

/** The same where machines look names up: throws also for a name that stands for another machine, or for all. */
export function lookedUpName(host: Pick<HostView, 'hostname'>, format: string, also = '_'): string {
  const fault = lookedUpFault(host.hostname);
  if (fault !== undefined) throw new HostFault(`${fault}, so it is not written into ${format}`);
  return also === '' ? host.hostname : plainName(host, format);
}

/** The address to reach a host by: the first in the variable, or else its name. */
export function reachedBy(host: HostView, addressField: string): string | undefined {
  return addressField === '' ? undefined : host.addresses(addressField)[0];
}

/** A port in a variable, or the one for all; `undefined` without either. */
export function portOf(host: HostView, field: string, common: number | undefined): number | undefined {
  const given = field === '' ? '' : host.text(field).trim();
  if (given === '') return common;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (port < 1 || port > 65_535) throw new HostFault(`${field} is ${quoted(given)}, which is not a port`);
  return port;
}

export interface Field {
  /** As what it is written. */
  readonly name: string;
  readonly variable: string;
}

/** `name` or `other_name=name`. */
export function fieldOf(text: string): Field {
  const at = text.indexOf('=');
  if (at < 1) return { name: text, variable: text };
  return { name: text.slice(0, at).trim(), variable: text.slice(at + 1).trim() };
}

/** The object that a host is in formats that hold any: the fields that the account names, or all there is. */
export function objectOf(host: HostView, fields: readonly Field[]): JsonObject {
  if (fields.length === 0) return { ...host.variables, ...host.expressions };
  return Object.fromEntries(fields.map(({ name, variable }) => [name, host.value(variable) ?? null]));
}
