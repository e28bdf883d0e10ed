import { JsonRefusal, parseJson } from '../../../kit/json/parse-json.ts';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { type JsonLines, readBundle, readJsonLines } from './bundle.ts';

/** The content that an import of rules passes to the operation. */
export type RulesContent =
  | { readonly rules: unknown; readonly rule_type?: string }
  | { readonly lines: string; readonly rule_type?: string };

/** A list of rules does not say of which type they are. */
export class UntypedRules extends AppError {
  constructor() {
    super('invalid_input', 'this is a list of rules without their type; name the type');
  }
}

/**
 * Tells by the content whether a file is an export, the rules of one type, or JSON lines. `type` is for content that
 * does not name it: a list of documents, or lines before the first header. With `skipBroken`, one line that is a document makes
 * it JSON lines.
 */
export function readRulesText(text: string, type: string | undefined, skipBroken = false): RulesContent {
  if (text.trim() === '') throw new AppError('invalid_input', worded`there is nothing to import: the file is empty`);
  const whole = parsed(text);
  if (whole === undefined) {
    const isLines = isJson(firstLine(text)) || (skipBroken && text.split('\n').some(isDocument));
    if (!isLines) throw notJson(text);
    return { lines: text, ...(type === undefined ? {} : { rule_type: type }) };
  }
  if (Array.isArray(whole.value)) {
    if (type === undefined) throw new UntypedRules();
    return { rules: whole.value, rule_type: type };
  }
  if (isObject(whole.value) && 'rules' in whole.value) {
    const { rules, rule_type } = whole.value;
    const own = typeof rule_type === 'string' ? rule_type : Array.isArray(rules) ? type : undefined;
    return { rules, ...(own === undefined ? {} : { rule_type: own }) };
  }
  // A single line is JSON as a whole too; line ends occur between members only.
  return {
    lines: text.replaceAll(/[\r\n]+/g, ' '),
    ...(type === undefined ? {} : { rule_type: type }),
  };
}

/** The documents of a file of rules by type. */
function partsOfText(text: string, type: string | undefined, skipBroken: boolean): JsonLines {
  const content = readRulesText(text, type, skipBroken);
  return 'lines' in content
    ? readJsonLines(content.lines, content.rule_type, skipBroken)
    : { parts: readBundle(content), broken: [] };
}

/** The forms in which operations take rules: as JSON, as JSON lines, or as a file whose content says which. */
interface GivenRules {
  readonly rule_type?: string | undefined;
  readonly rules?: unknown;
  readonly lines?: string | undefined;
  readonly text?: string | undefined;
  readonly skip_broken: boolean;
}

/** The documents of whichever form was given. */
export function linesOf({ rule_type, rules, lines, text, skip_broken }: GivenRules): JsonLines {
  if (lines !== undefined) return readJsonLines(lines, rule_type, skip_broken);
  if (rules === undefined && text !== undefined) return partsOfText(text, rule_type, skip_broken);
  return { parts: readBundle({ rule_type, rules }), broken: [] };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    if (error.isMalformed) return undefined;
    throw new AppError('invalid_input', worded`the file ${{ reason: error.reason }}; nothing was imported`, {
      cause: error,
    });
  }
}

function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? '';
}

function isDocument(line: string): boolean {
  return line.startsWith('{') && isJson(line);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function notJson(text: string): AppError {
  let reason = 'it cannot be parsed';
  try {
    JSON.parse(text);
  } catch (error) {
    // It shows the place, which may hold line ends.
    reason = (error as Error).message.replaceAll(/\s+/g, ' ');
  }
  return new AppError(
    'invalid_input',
    worded`the file is neither JSON nor JSON lines; nothing was imported: ${{ reason }}`,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
