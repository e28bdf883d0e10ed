import type { AppError, ErrorDetail, Wording, WordingParts } from '../ports/index.ts';

type Value = Wording['values'][string];

/**
 * A sentence whose values have names, so that pages say it in other languages: the template is what they look up. Each value is written
 * `${{ name: value }}`, or is itself a wording under a name. In English it is the text that a template literal would be, but for whole numbers, which get separators.
 */
export function worded(texts: TemplateStringsArray, ...named: readonly Readonly<Record<string, Value>>[]): Wording {
  let text = texts[0] ?? '';
  let template = text;
  const values: Record<string, Value> = {};
  for (const [place, given] of named.entries()) {
    const [[name, value] = ['', '']] = Object.entries(given);
    const rest = texts[place + 1] ?? '';
    values[name] = value;
    text += englishOf(value) + rest;
    template += `{${name}}${rest}`;
  }
  return { text, template, values };
}

function englishOf(value: Value): string {
  if (typeof value === 'object') return value.text;
  const text = String(value);
  // Same format as `grouped`, which is in a room above this one.
  return Number.isInteger(value) ? text.replace(/\B(?=(?:\d{3})+$)/g, ',') : text;
}

/**
 * A sentence without values, as the text that it is: for what takes nothing but text, such as messages of schemas. Pages look the
 * text itself up.
 */
export function phrase(texts: TemplateStringsArray): string {
  return texts[0] ?? '';
}

/** Sentences with values of which only the text travels, by that text. They are made where schemas are, so there are few. */
const IN_SCHEMAS = new Map<string, Wording>();

/** The same for a sentence with values, which must be known when the schema is made. */
export function schemaText(sentence: Wording): string {
  IN_SCHEMAS.set(sentence.text, sentence);
  return sentence.text;
}

/** A text of data or of a plugin as a sentence: it is the same in every language. */
export function plainWording(text: string): Wording {
  return { text, template: text, values: {} };
}

/** Returns the sentence behind a schema's message. */
export function saidInSchema(message: string): Said {
  return IN_SCHEMAS.get(message) ?? message;
}

/** A sentence, with its parts if it was made from parts. */
export type Said = string | Wording;

/** An error inside of a room, whose sentence becomes part of the one that a person meets. */
export class WordedError extends Error {
  readonly said: Wording;

  constructor(said: Wording, options?: ErrorOptions) {
    super(said.text, options);
    this.said = said;
  }
}

export function textOf(said: Said): string {
  return typeof said === 'string' ? said : said.text;
}

/** Returns the sentence of an error. */
export function saidBy({ message, wording }: AppError): Said {
  return wording ?? message;
}

/** A message as stored in records: its text, and its parts if there are any. */
interface Message {
  readonly message: string;
  readonly wording?: WordingParts | undefined;
}

export function messageOf(said: Said): { readonly message: string; readonly wording?: WordingParts } {
  if (typeof said === 'string') return { message: said };
  const { text, template, values } = said;
  return { message: text, wording: { template, values } };
}

/** One detail of an error. A sentence without values goes as its text, by which pages look it up. */
export function detailOf(path: string, said: Said): ErrorDetail {
  const { message, wording } = messageOf(said);
  return wording === undefined || Object.keys(wording.values).length === 0
    ? { path, message }
    : { path, message, wording };
}

/** Returns the sentence of a detail. */
export function saidAt({ message, wording }: ErrorDetail): Wording {
  return { text: message, ...(wording ?? { template: message, values: {} }) };
}

/** `labels.os: must be text`: what is wrong, behind the place where it is. */
export function placed(detail: ErrorDetail): Wording {
  const problem = saidAt(detail);
  return detail.path === '' ? problem : worded`${{ path: detail.path }}: ${{ problem }}`;
}

/** A name that only unrestricted callers read, as a value of a sentence; the others read `instead`. */
export function nameOrElse(name: string, instead: Wording): Wording {
  return { text: name, template: '{name}', values: { name }, restricted: instead };
}

/** The sentence as restricted callers read it, however deep in it a hidden name is. */
export function withoutHiddenNames(said: Said): Said {
  return typeof said === 'string' ? said : withoutNames(said);
}

function withoutNames(wording: Wording): Wording {
  if (wording.restricted !== undefined) return wording.restricted;
  const { template } = wording;
  const values = Object.fromEntries(
    Object.entries(wording.values).map(([name, value]) => [
      name,
      typeof value === 'object' ? withoutNames(value) : value,
    ]),
  );
  if (Object.entries(values).every(([name, value]) => value === wording.values[name])) return wording;
  const text = template.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name];
    return value === undefined ? hole : englishOf(value);
  });
  return { text, template, values };
}

/** The sentence of such a record. */
export function saidIn({ message, wording }: Message): Said {
  return wording === undefined ? message : { text: message, ...wording };
}

/** `3 created, 9 unchanged`; `undefined` of nothing. */
export function enumerated(parts: readonly Said[]): Said | undefined {
  return joined(parts, (first, rest) => worded`${{ first }}, ${{ rest }}`);
}

/** The same with semicolons, of what may have commas in it. */
export function strung(parts: readonly Said[]): Said | undefined {
  return joined(parts, (first, rest) => worded`${{ first }}; ${{ rest }}`);
}

/** `nothing was changed. only devices`: what are sentences of their own. */
export function sentences(parts: readonly Said[]): Said | undefined {
  return joined(parts, (first, rest) => worded`${{ first }}. ${{ rest }}`);
}

/** `web1 and web2`. */
export function coupled(parts: readonly Said[]): Said | undefined {
  return joined(parts, (first, rest) => worded`${{ first }} and ${{ rest }}`);
}

/** `basic or digest`. */
export function alternatives(parts: readonly Said[]): Said | undefined {
  return joined(parts, (first, rest) => worded`${{ first }} or ${{ rest }}`);
}

/** `web1, web2 and 7 more`: those that are named, of so many that there are. */
export function abridged(named: readonly string[], count: number): Said {
  const names = named.join(', ');
  const more = String(count - named.length);
  return count > named.length ? worded`${{ names }} and ${{ more }} more` : names;
}

/** `1 second`, `30 seconds`. */
export function secondsWording(count: number): Wording {
  return count === 1 ? worded`1 second` : worded`${{ count: String(count) }} seconds`;
}

function joined(parts: readonly Said[], both: (first: Said, rest: Said) => Wording): Said | undefined {
  return parts.reduceRight<Said | undefined>(
    (rest, first) => (rest === undefined ? first : both(first, rest)),
    undefined,
  );
}

/**
 * The parts of a sentence as a member of an answer. Only pages get them, which say it in their language, and jobs, which tell what they
 * did; what others are answered has a shape of its own.
 */
export function wordingFor(
  { entrance }: { readonly entrance: string },
  wording: WordingParts | undefined,
): { readonly wording?: WordingParts } {
  return wording !== undefined && (entrance === 'admin' || entrance === 'cron') ? { wording } : {};
}
