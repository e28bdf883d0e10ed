import { AppError, type JsonValue, type RuleDocument } from '../../../ports/index.ts';
import { isJsonObject } from '../../kernel/json/json-object.ts';
import { JsonRefusal, parseJson } from '../../kernel/json/parse-json.ts';

/** Documents of one type, in the order in which they came; elements that are no objects are invalid ones. */
export interface BundlePart {
  /** As written: an ident or an alias. */
  readonly type: string;
  readonly documents: readonly JsonValue[];
}

/** The one type's form: a document or a list of documents. */
export function partOfType(type: string, body: unknown): BundlePart {
  if (!Array.isArray(body) && !isJsonObject(body as JsonValue)) {
    throw new AppError('invalid_input', 'the body must be a rule document or a list of rule documents');
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
          throw new AppError('invalid_input', `rules.${name}: must be a list of rule documents`, {
            details: [{ path: `rules.${name}`, message: 'must be a list of rule documents' }],
          });
        }
        return { type: name, documents };
      });
    }
  }
  throw new AppError(
    'invalid_input',
    'the body must be {"rule_type": …, "rules": […]}, {"rules": {"<rule_type>": […]}}, or JSON lines as text/plain',
  );
}

/**
 * Reads JSON lines: one document a line, a line whose only member is `rule_type` switches the type, blank lines are
 * passed over. A bad line is an error with its number.
 */
export function readJsonLines(text: string, firstType: string | undefined): readonly BundlePart[] {
  const parts: { type: string; documents: JsonValue[] }[] = [];
  let current: { type: string; documents: JsonValue[] } | undefined;
  if (firstType !== undefined) {
    current = { type: firstType, documents: [] };
    parts.push(current);
  }
  let number = 0;
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    number++;
    if (line.trim() === '') continue;
    const document = readLine(line, number);
    const header = headerOf(document, number);
    if (header !== undefined) {
      current = { type: header, documents: [] };
      parts.push(current);
    } else if (current === undefined) {
      throw badLine(
        number,
        'comes before any {"rule_type": …} line; begin with one, or give the type as rule_type (query parameter) or --type (command)',
      );
    } else {
      current.documents.push(document);
    }
  }
  return parts;
}

function readLine(line: string, number: number): RuleDocument {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (cause) {
    if (!(cause instanceof JsonRefusal)) throw cause;
    throw badLine(number, cause.isMalformed ? 'is not valid JSON' : cause.reason, cause);
  }
  if (!isJsonObject(value as JsonValue)) throw badLine(number, 'must be a JSON object');
  return value as RuleDocument;
}

function headerOf(document: RuleDocument, number: number): string | undefined {
  const names = Object.keys(document);
  if (names.length !== 1 || names[0] !== 'rule_type') return undefined;
  const type = document.rule_type;
  if (typeof type !== 'string') throw badLine(number, 'has a rule_type that is not text');
  return type;
}

function badLine(number: number, problem: string, cause?: unknown): AppError {
  return new AppError('invalid_input', `line ${number} ${problem}; nothing was imported`, {
    details: [{ path: `line ${number}`, message: problem }],
    cause,
  });
}
