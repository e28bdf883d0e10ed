/**
 * A second evaluator, written from the rules page alone: slow, obvious, and sharing nothing with the engine but the
 * template language (a test hands in `render`) and the library of patterns.
 */
import { RE2JS } from 're2js';
import type { JsonObject, JsonValue } from '../../../src/ports/json.ts';

export interface ReferenceHost {
  readonly hostname: string;
  readonly account: string | undefined;
  readonly labels: JsonObject;
  readonly inventory: Record<string, JsonObject>;
  readonly templates: readonly string[];
}

export interface ReferenceInput {
  readonly rules: Readonly<Record<string, readonly JsonObject[]>>;
  readonly templates: readonly JsonObject[];
  readonly project: string | null;
  /** Renders a template; `undefined` when it fails. */
  readonly render: (text: string, variables: ReadonlyMap<string, JsonValue>) => string | undefined;
  /** For the test that a broken operator is found. */
  readonly operators?: Partial<ReferenceOperators>;
}

export interface ReferenceResult {
  readonly included: boolean;
  readonly variables: Record<string, JsonValue>;
  readonly expressions: Record<string, JsonValue>;
  readonly groups: readonly string[];
}

type Attributes = Map<string, JsonValue>;
/** What a host is evaluated with. */
type Given = ReferenceInput & Pick<ReferenceHost, 'labels'>;
/** `undefined` when the comparison cannot be made. */
export type ReferenceOperator = (value: JsonValue, needle: string) => boolean | undefined;
export type ReferenceOperators = Record<string, ReferenceOperator>;

function isText(value: JsonValue): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function asText(value: JsonValue): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  return String(value);
}

function fold(text: string): string {
  return text.toLowerCase().toUpperCase();
}

function texts(compare: (text: string, needle: string) => boolean): ReferenceOperator {
  return (value, needle) => (isText(value) ? compare(asText(value), needle) : undefined);
}

function containsText(value: JsonValue, needle: string): boolean | undefined {
  if (Array.isArray(value))
    return value.filter(isText).some((item: JsonValue) => fold(asText(item)).includes(fold(needle)));
  return isText(value) ? fold(asText(value)).includes(fold(needle)) : undefined;
}

function truth(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return !['', 'false', 'none', 'null', '0'].includes(asText(value).toLowerCase());
}

export const OPERATORS: ReferenceOperators = {
  equal: texts((text, needle) => fold(text) === fold(needle)),
  in: containsText,
  not_in: (value, needle) => {
    const contains = containsText(value, needle);
    return contains === undefined ? undefined : !contains;
  },
  swith: texts((text, needle) => fold(text).startsWith(fold(needle))),
  ewith: texts((text, needle) => fold(text).endsWith(fold(needle))),
  in_list: texts((text, needle) => needle.split(',').some((part) => part.trim() === text)),
  string_in_list: (value, needle) => {
    if (typeof value === 'string') return value.split(',').some((part) => part === needle || part.trim() === needle);
    return Array.isArray(value) ? value.some((item: JsonValue) => isText(item) && asText(item) === needle) : undefined;
  },
  regex: texts((text, needle) => RE2JS.compile(needle).matcher(text).lookingAt()),
  bool: (value, needle) => truth(value) === truth(needle),
  older_than: (value, needle) => age(value, (milliseconds) => milliseconds > span(needle)),
  newer_than: (value, needle) => age(value, (milliseconds) => milliseconds <= span(needle)),
  ignore: () => true,
};

/** It is the beginning of 1970, and the generated times are whole seconds. */
function age(value: JsonValue, compare: (milliseconds: number) => boolean): boolean | undefined {
  if (!isText(value)) return undefined;
  const [, date, time = '00:00:00', offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)?)?$/.exec(asText(value)) ?? [];
  return date === undefined ? undefined : compare(0 - Date.parse(`${date}T${time}${offset}`));
}

function span(needle: string): number {
  const hours: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24, w: 168, '': 24 };
  const [, amount = '', unit = ''] = /^([\d.]+)([mhdw]?)$/.exec(needle) ?? [];
  return Number(amount) * (hours[unit] ?? 0) * 3_600_000;
}

function compare(input: Given, operator: string, value: JsonValue, needle: string, negate: boolean): boolean {
  const holds = (input.operators?.[operator] ?? OPERATORS[operator]!)(value, needle) ?? false;
  return negate ? !holds : holds;
}

/** All values that a name reaches: the attribute, what a dotted path leads to, or the object that labels are members of. */
function lookUp(input: Given, attributes: Attributes, tag: string): JsonValue | undefined {
  if (attributes.has(tag)) return attributes.get(tag);
  const name = tag.replace(/\["(.*)"\]$/, '.$1');
  if (attributes.has(name)) return attributes.get(name);
  const found = follow(Object.fromEntries(attributes), name, true);
  return found === undefined ? objectOf(input, attributes, name) : found;
}

/** What the attributes below a name make together, if the host has such labels. */
function objectOf({ labels }: Given, attributes: Attributes, name: string): JsonObject | undefined {
  const isNested = Object.keys(labels).some((key) => key.startsWith(`${name}.`) && !key.includes('/'));
  return isNested && !attributes.has(name) ? below(attributes, `${name}.`) : undefined;
}

/** A name that is a value and the beginning of others is the value. */
function below(attributes: Attributes, prefix: string): JsonObject | undefined {
  const members: Record<string, JsonValue> = {};
  for (const [key, value] of attributes) {
    if (!key.startsWith(prefix)) continue;
    const [first = ''] = key.slice(prefix.length).split('.');
    members[first] = prefix + first === key ? value : below(attributes, `${prefix}${first}.`)!;
    if (attributes.has(prefix + first)) members[first] = attributes.get(prefix + first)!;
  }
  return Object.keys(members).length === 0 ? undefined : members;
}

/** What templates read: the objects too. */
function readable(input: Given, variables: Attributes): Attributes {
  const all = new Map(variables);
  for (const label of Object.keys(input.labels)) {
    const parts = label.split('.');
    for (let count = 1; count < parts.length; count++) {
      const name = parts.slice(0, count).join('.');
      const object = objectOf(input, variables, name);
      if (object !== undefined) all.set(name, object);
    }
  }
  return all;
}

function follow(object: JsonObject, path: string, first: boolean): JsonValue | undefined {
  if (!first && Object.hasOwn(object, path)) return object[path];
  const parts = path.split('.');
  for (let count = 1; count < parts.length; count++) {
    const head = parts.slice(0, count).join('.');
    const value = Object.hasOwn(object, head) ? object[head] : undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const found = follow(value as JsonObject, parts.slice(count).join('.'), false);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Match {
  readonly tag: string;
  readonly value: JsonValue;
}

interface Outcome {
  readonly holds: boolean;
  readonly match?: Match;
}

function holds(input: Given, condition: JsonObject, hostname: string, attributes: Attributes): Outcome {
  const text = (name: string) => (typeof condition[name] === 'string' ? condition[name] : '');
  const flag = (name: string) => condition[name] === true;
  if (condition.match_type === 'host') {
    const operator = text('hostname_match');
    const needle = operator === 'regex' ? `(?i:${text('hostname')})` : text('hostname').toLowerCase();
    return { holds: compare(input, operator, hostname.toLowerCase(), needle, flag('hostname_match_negate')) };
  }
  const tag = text('tag');
  const tagOperator = text('tag_match');
  const tagNegated = flag('tag_match_negate');
  if (tagOperator === 'ignore' && tagNegated) return { holds: lookUp(input, attributes, tag) === undefined };
  const candidates: Match[] = [];
  if (tagOperator === 'equal' && !tagNegated) {
    const value = lookUp(input, attributes, tag);
    if (value !== undefined) candidates.push({ tag, value });
  } else {
    for (const [name, value] of attributes) {
      if (compare(input, tagOperator, name, tag, tagNegated)) candidates.push({ tag: name, value });
    }
  }
  const operator = text('value_match');
  const negated = flag('value_match_negate');
  const needle = rendered(input, text('value'), hostname, attributes);
  const match = candidates.find(({ value }) =>
    needle === undefined && operator !== 'ignore' ? negated : compare(input, operator, value, needle ?? '', negated),
  );
  return match === undefined ? { holds: false } : { holds: true, match };
}

function rendered(input: Given, text: string, hostname: string, attributes: Attributes): string | undefined {
  if (!/\{\{|\{%|\{#/.test(text)) return text;
  return input.render(text, readable(input, new Map([...attributes, ['HOSTNAME', hostname]])));
}

function hits(input: Given, rule: JsonObject, hostname: string, attributes: Attributes): Outcome {
  const conditions = (rule.conditions ?? []) as readonly JsonObject[];
  const mode = rule.condition_typ;
  if (mode === 'anyway') return { holds: true };
  let match: Match | undefined;
  for (const condition of conditions) {
    const outcome = holds(input, condition, hostname, attributes);
    match ??= outcome.match;
    if (mode === 'all' && !outcome.holds) return { holds: false };
    if (mode === 'any' && outcome.holds) return match ? { holds: true, match } : { holds: true };
  }
  const result = mode === 'all';
  return match ? { holds: result, match } : { holds: result };
}

function inOrder(rules: readonly JsonObject[]): readonly JsonObject[] {
  const oid = (rule: JsonObject) => ((rule._id as JsonObject | undefined)?.$oid as string | undefined) ?? '';
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return rules
    .filter((rule) => rule.enabled === true)
    .sort(
      (a, b) =>
        Number(a.sort_field ?? 0) - Number(b.sort_field ?? 0) ||
        order(a.name as string, b.name as string) ||
        order(oid(a), oid(b)),
    );
}

export function evaluateByTheBook(host: ReferenceHost, about: ReferenceInput): ReferenceResult {
  const input: Given = { ...about, labels: host.labels };
  const attributes: Attributes = new Map();
  const { hostname } = host;
  if (host.account !== undefined) attributes.set('SOURCE_ACCOUNT', host.account);
  for (const [name, value] of Object.entries(host.labels)) attributes.set(name, value);
  for (const [section, members] of Object.entries(host.inventory)) {
    for (const [key, value] of Object.entries(members)) attributes.set(`${section}__${key}`, value);
  }
  for (const template of templatesOf(host, input.templates)) {
    for (const [name, value] of Object.entries(template.labels as JsonObject)) {
      if (!attributes.has(name) && objectOf(input, attributes, name) === undefined) attributes.set(name, value);
    }
  }

  const run = (type: string, scoped: boolean, act: (outcome: JsonObject, variables: Attributes) => void) => {
    const rules = inOrder(input.rules[type] ?? []).filter((rule) => {
      if (!scoped) return true;
      const project =
        rule.project === undefined || rule.project === '' || rule.project === 'Default' ? null : rule.project;
      return project === input.project;
    });
    for (const rule of rules) {
      const { holds, match } = hits(input, rule, hostname, attributes);
      if (!holds) continue;
      for (const outcome of rule.outcomes as readonly JsonObject[]) {
        const variables: Attributes = new Map([...attributes, ['HOSTNAME', hostname]]);
        if (match) variables.set('FIRST_MATCHING_TAG', match.tag).set('FIRST_MATCHING_VALUE', match.value);
        act(outcome, variables);
      }
      if (rule.last_match === true) return rules.length;
    }
    return rules.length;
  };
  const render = (text: JsonValue | undefined, variables: Attributes) =>
    input.render((text as string) ?? '', readable(input, variables)) ?? '';

  run('custom_attributes', false, (outcome, variables) => {
    const text = render(outcome.attribute_value, variables);
    attributes.set(outcome.attribute_name as string, text === 'True' ? true : text === 'False' ? false : text);
  });

  run('automation_rewrite', true, (outcome, variables) => rewrite(input, outcome, variables, attributes, render));
  attributes.set('HOSTNAME', hostname);

  let ignored = false;
  const lines: { on: string; text: string }[] = [];
  const filters = run('automation_filter', true, (outcome) => {
    if (outcome.action === 'ignore_hosts') ignored = true;
    else lines.push({ on: outcome.action as string, text: outcome.attribute_name as string });
  });
  if (ignored) return { included: false, variables: {}, expressions: {}, groups: [] };

  const visible: Attributes = new Map();
  for (const [name, value] of attributes) if (filters === 0 || shown(lines, name, value)) visible.set(name, value);

  for (const { on, text } of lines) {
    const object = on === 'whitelist_attribute' ? objectOf(input, attributes, text) : undefined;
    if (object === undefined || !shown(lines, text, object)) continue;
    const members = shownMembers(lines, text, object);
    if (Object.keys(members).length > 0) visible.set(text, members);
  }

  const expressions: Attributes = new Map();
  run('automation_customvars', true, (outcome, variables) => {
    const name = outcome.attribute_name as string;
    visible.delete(name);
    expressions.delete(name);
    if (outcome.expression === true) {
      expressions.set(name, outcome.attribute_value ?? '');
      return;
    }
    const text = render(outcome.attribute_value, variables);
    visible.set(name, /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text);
  });
  return {
    included: true,
    variables: Object.fromEntries([...visible].map(([name, value]) => [name, booleans(value)])),
    expressions: Object.fromEntries(expressions),
    groups: groupsOf(expressions.get('ansible_groups') ?? visible.get('ansible_groups')),
  };
}

/** Texts that are booleans, as inventories serve them. */
function booleans(value: JsonValue): JsonValue {
  if (typeof value === 'string' && ['true', 'false'].includes(value.toLowerCase()))
    return value.toLowerCase() === 'true';
  if (Array.isArray(value)) return value.map(booleans);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, booleans(item as JsonValue)]));
}

function templatesOf(host: ReferenceHost, templates: readonly JsonObject[]): readonly JsonObject[] {
  const named = host.templates.flatMap((name) => templates.filter((template) => template.hostname === name));
  const matching = templates
    .filter((template) => {
      const [key = '', ...rest] = ((template.cmdb_match as string | undefined) ?? '').split(':');
      if (key === '' || rest.length === 0 || !Object.hasOwn(host.labels, key)) return false;
      const value = host.labels[key] as JsonValue;
      return isText(value) && asText(value) === rest.join(':');
    })
    .sort((a, b) => ((a.hostname as string) < (b.hostname as string) ? -1 : 1));
  return [...named, ...matching];
}

function rewrite(
  input: Given,
  outcome: JsonObject,
  variables: Attributes,
  attributes: Attributes,
  render: (text: JsonValue | undefined, variables: Attributes) => string,
): void {
  const old = outcome.old_attribute_name as string;
  const object = objectOf(input, attributes, old);
  const keeps = outcome.overwrite_name === '' && outcome.overwrite_value === '';
  const before = keeps || attributes.has(old) ? attributes.get(old) : object;
  let value = before;
  if (outcome.overwrite_value === 'string') value = outcome.new_value;
  if (outcome.overwrite_value === 'jinja') {
    const text = render(outcome.new_value, variables);
    value = text === '' ? undefined : text;
  }
  if (outcome.overwrite_value === 'split' && (typeof before === 'string' || typeof before === 'number')) {
    const parts = (outcome.new_value as string).split(':');
    const index = Number(parts.pop());
    const pieces = String(before).split(parts.join(':'));
    if (pieces.length > 1) value = pieces[index < 0 ? pieces.length + index : index] ?? before;
  }
  if (outcome.overwrite_name === 'convert_list') {
    if (before === undefined) return;
    const list = render(outcome.new_attribute_name, new Map([...variables, ['result', before]]));
    for (const name of listOf(list) ?? []) if (value !== undefined) attributes.set(name, value);
    return;
  }
  let name = old;
  if (outcome.overwrite_name === 'string') name = outcome.new_attribute_name as string;
  if (outcome.overwrite_name === 'jinja') name = render(outcome.new_attribute_name, variables) || old;
  if (name !== old) {
    attributes.delete(old);
    for (const key of [...attributes.keys()]) if (object && key.startsWith(`${old}.`)) attributes.delete(key);
  }
  if (value !== undefined) attributes.set(name, value);
}

const ITEM = String.raw`'[^']*'|"[^"]*"|[\w.-]+`;
const LIST = new RegExp(String.raw`^\[\s*(?:(?:${ITEM})(?:\s*,\s*(?:${ITEM}))*)?\s*\]$`);
const WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: '', None: '' };

/** Lists as the generated cases print them: without quotes or escapes inside of the texts. */
function listOf(text: string): readonly string[] | undefined {
  if (!LIST.test(text)) return undefined;
  return [...text.matchAll(new RegExp(ITEM, 'g'))]
    .map(([item]) => (/^['"]/.test(item) ? item.slice(1, -1) : (WORDS[item] ?? item)).trim())
    .filter((item) => item !== '');
}

function shown(lines: readonly { on: string; text: string }[], name: string, value: JsonValue): boolean {
  let result = false;
  for (const { on, text } of lines) {
    const removes = text.startsWith('!');
    const wanted = removes ? text.slice(1) : text;
    const side = on === 'whitelist_attribute' ? name : isText(value) ? asText(value) : undefined;
    if (side === undefined) continue;
    const fits = wanted.endsWith('*') ? side.startsWith(wanted.slice(0, -1)) : side === wanted;
    if (fits) result = !removes;
  }
  return result;
}

/** An object without the members that a line hides by their own names. */
function shownMembers(lines: Parameters<typeof shown>[0], path: string, object: JsonObject): JsonObject {
  const hidden = (name: string, value: JsonValue) =>
    !shown(lines, name, value) &&
    shown(
      lines.map(({ on, text }) => ({ on, text: text.replace('!', '') })),
      name,
      value,
    );
  return Object.fromEntries(
    Object.entries(object)
      .filter(([key, value]) => !hidden(`${path}.${key}`, value))
      .map(([key, value]) => [
        key,
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? shownMembers(lines, `${path}.${key}`, value as JsonObject)
          : value,
      ]),
  );
}

function groupsOf(value: JsonValue | undefined): readonly string[] {
  const names =
    typeof value === 'string'
      ? (listOf(value) ?? value.split(','))
      : Array.isArray(value)
        ? value.filter((item) => isText(item) && item !== null).map(asText)
        : [];
  return [
    ...new Set(names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'all' && name !== '_meta')),
  ];
}
