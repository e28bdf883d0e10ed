import { isJsonObject } from '../../../kit/json/json-object.ts';
import { JsonRefusal, parseJson } from '../../../kit/json/parse-json.ts';
import { phrase, worded } from '../../../kit/worded.ts';
import { AppError, type JsonValue, type RuleDocument } from '../../../ports/index.ts';

/** Documents of one type, in the order of the input; elements that are not objects count as invalid. */
export interface BundlePart {
  /** As written: an ident or an alias. */
  readonly type: string;
  readonly documents: readonly JsonValue[];
  /** The line number of each document, if they come from JSON lines. */
  readonly lines?: readonly number[];
}

/** The one type's form: a document or a list of documents. */
export function partOfType(type: string, body: unknown): BundlePart {
  if (!Array.isArray(body) && !isJsonObject(body as JsonValue)) {
    throw new AppError('invalid_input', worded`the body must be a rule document or a list of rule documents`);
  }
  return { type, documents: (Array.isArray(body) ? body : [body]) as JsonValue[] };
}

/**
 * Reads the JSON forms: `{rule_type, rules: […]}` and `{rules: {<type>: […]}}`. Anything else is an error that says
 * which forms there are.
 */
export function readBundle(body: unknown): readonly BundlePart[] {
  if (isJsonObject(body as JsonValue)) {
    const { rule_type: type, rules } = body as { rule_type?: unknown; rules?: unknown };
    if (typeof type === 'string' && Array.isArray(rules)) return [{ type, documents: rules }];
    if (type === undefined && isJsonObject(rules as JsonValue)) {
      return Object.entries(rules as Record<string, unknown>).map(([name, documents]) => {
        if (!Array.isArray(documents)) {
          throw new AppError('invalid_input', worded`rules.${{ name }}: must be a list of rule documents`, {
            details: [{ path: `rules.${name}`, message: phrase`must be a list of rule documents` }],
          });
        }
        return { type: name, documents };
      });
    }
  }
  throw new AppError(
    'invalid_input',
    worded`the body must be {"rule_type": …, "rules": […]}, {"rules": {"<rule_type>": […]}}, or JSON lines as text/plain`,
  );
}

/** A line that is not a document, and why. */
export interface BrokenLine {
  /** The type given by the preceding header; empty if there is none. */
  readonly type: string;
  readonly line: number;
  readonly message: string;
}

/** The content of JSON lines. */
export interface JsonLines {
  readonly parts: readonly BundlePart[];
  /** Lines that were passed over; a reader who asked for none gets none. */
  readonly broken: readonly BrokenLine[];
}

/**
 * Reads JSON lines: one document a line, a line whose only member is `rule_type` switches the type, blank lines are
 * skipped. A bad line is an error with its number, because a truncated file must not count as a complete one; with
 * `skipBroken` it is reported and skipped.
 */
export function readJsonLines(text: string, firstType: string | undefined, skipBroken = false): JsonLines {
  const parts: (BundlePart & { documents: JsonValue[]; lines: number[] })[] = [];
  const broken: BrokenLine[] = [];
  let current: (typeof parts)[number] | undefined;
  const begin = (type: string): void => {
    current = { type, documents: [], lines: [] };
    parts.push(current);
  };
  if (firstType !== undefined) begin(firstType);
  let number = 0;
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    number++;
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (read.kind === 'header') begin(read.type);
    else if (read.kind === 'document' && current !== undefined) {
      current.documents.push(read.document);
      current.lines.push(number);
    } else {
      const message = read.kind === 'broken' ? read.message : HEADLESS;
      if (!skipBroken) throw badLine(number, message, read.kind === 'broken' ? read.cause : undefined);
      broken.push({ type: current?.type ?? '', line: number, message });
      // The type of the documents after it is unknown.
      if (read.kind === 'broken' && read.isHeader) current = undefined;
    }
  }
  return { parts, broken };
}

const HEADLESS = phrase`comes before any {"rule_type": …} line; begin with one, or give the type as rule_type (query parameter) or --type (command)`;

type Line =
  | { readonly kind: 'document'; readonly document: RuleDocument }
  | { readonly kind: 'header'; readonly type: string }
  | { readonly kind: 'broken'; readonly message: string; readonly isHeader?: true; readonly cause?: unknown };

function readLine(line: string): Line {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (cause) {
    if (!(cause instanceof JsonRefusal)) throw cause;
    return { kind: 'broken', message: cause.isMalformed ? phrase`is not valid JSON` : cause.reason, cause };
  }
  if (!isJsonObject(value as JsonValue)) return { kind: 'broken', message: phrase`must be a JSON object` };
  const document = value as RuleDocument;
  const names = Object.keys(document);
  if (names.length !== 1 || names[0] !== 'rule_type') return { kind: 'document', document };
  const type = document.rule_type;
  if (typeof type === 'string') return { kind: 'header', type };
  return { kind: 'broken', message: 'has a rule_type that is not text', isHeader: true };
}

function badLine(number: number, problem: string, cause?: unknown): AppError {
  return new AppError('invalid_input', `line ${number} ${problem}; nothing was imported`, {
    details: [{ path: `line ${number}`, message: problem }],
    cause,
  });
}
