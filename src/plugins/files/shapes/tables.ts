import { stringify } from 'yaml';
import { identifierOf, withNames } from '../../../kit/names/variable-names.ts';
import type { JsonObject } from '../../../ports/index.ts';
import { type Field, fieldOf, type HostView, objectOf, textOf } from '../host-view.ts';
import type { FilesOptions } from '../options.ts';
import { type LeftOut, lostName, type Shape } from '../shape.ts';

const DEFAULT_COLUMNS: readonly Field[] = ['hostname=HOSTNAME', 'groups'].map(fieldOf);

/** One line of names, then one for each host. */
export function csvShape({ fields, separator, address_field }: FilesOptions): Shape {
  const named = fields.length > 0 ? fields.map(fieldOf) : DEFAULT_COLUMNS;
  const columns = address_field === '' || fields.length > 0 ? named : [...named, fieldOf(address_field)];
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\n`;
  return {
    contentType: 'text/csv; charset=utf-8',
    open: line(columns.map(({ name }) => name)),
    host: (host) => line(columns.map(({ variable }) => textOf(host.value(variable)))),
  };
}

function csvCell(text: string, separator: string): string {
  const isPlain = !/["\r\n]|^\s|\s$/.test(text) && !text.includes(separator);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

/** A list of all hosts, one a line. */
export function jsonShape({ fields }: FilesOptions): Shape {
  const named = fields.map(fieldOf);
  return {
    contentType: 'application/json; charset=utf-8',
    open: '[\n',
    between: ',\n',
    close: '\n]\n',
    empty: '[]\n',
    host: (host) => JSON.stringify(recordOf(host, named)),
  };
}

export function yamlShape({ fields }: FilesOptions): Shape {
  const named = fields.map(fieldOf);
  return {
    contentType: 'application/yaml; charset=utf-8',
    empty: '[]\n',
    host: (host) => yamlText([recordOf(host, named)]),
  };
}

/** Returns the data of a host, including its name. */
function recordOf(host: HostView, fields: readonly Field[]): JsonObject {
  if (fields.length > 0) return { hostname: host.hostname, ...objectOf(host, fields) };
  const { hostname, variables, expressions, groups } = host;
  const marked = Object.keys(expressions).length === 0 ? {} : { expressions };
  return { hostname, variables, ...marked, groups };
}

/** Characters that some readers refuse or take for the end of a line. */
const NOT_IN_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Puts all texts and keys in quotes, on one line, so that no reader of any version mistakes them for something else. */
export function yamlText(value: unknown): string {
  const text = stringify(value, {
    aliasDuplicateObjects: false,
    lineWidth: 0,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'QUOTE_DOUBLE',
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  return text.replaceAll(NOT_IN_YAML, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The value of one variable of Terraform: objects by name. In such files texts are never expressions. */
export function tfvarsShape({ fields, variable }: FilesOptions): Shape {
  const named = fields.map(fieldOf);
  return {
    contentType: 'application/json; charset=utf-8',
    open: `{\n${JSON.stringify(variable)}: {\n`,
    between: ',\n',
    close: '\n}\n}\n',
    empty: `{\n${JSON.stringify(variable)}: {}\n}\n`,
    host: (host) => `${JSON.stringify(host.hostname)}: ${JSON.stringify(objectOf(host, named))}`,
  };
}

/** Targets of Prometheus, one group for each host. */
export function fileSdShape(
  { fields, address_field, port: common, port_field }: FilesOptions,
  tools: FileSdTools,
): Shape {
  const named = fields.map(fieldOf);
  const lost = new Map<string, LeftOut>();
  return {
    contentType: 'application/json; charset=utf-8',
    open: '[\n',
    between: ',\n',
    close: '\n]\n',
    empty: '[]\n',
    leftOut: () => [...lost.values()],
    host(host) {
      const own: Record<string, string> = { __meta_muster_hostname: host.hostname };
      if (host.groups.length > 0) own.__meta_muster_groups = `,${host.groups.join(',')},`;
      const texts = named.map(({ name, variable }) => [name, textOf(host.value(variable))] as const);
      const given = Object.fromEntries(texts.filter(([name, text]) => text !== '' && !Object.hasOwn(own, name)));
      const labels = {
        ...withNames(given, labelName, (name, served, kept) => lost.set(name, lostName('label', name, served, kept))),
        ...own,
      };
      return JSON.stringify({ targets: [tools.target(host, address_field, port_field, common)], labels });
    },
  };
}

interface FileSdTools {
  target(host: HostView, addressField: string, portField: string, port: number | undefined): string;
}

/** Names with two underscores in front belong to Prometheus itself. */
function labelName(name: string): string {
  const plain = identifierOf(name);
  return plain.startsWith('__meta_') ? plain : plain.replace(/^__+/, '_');
}
