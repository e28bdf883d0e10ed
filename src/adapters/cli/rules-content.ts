import { AppError } from '../../ports/errors.ts';
import { UsageError } from './usage-error.ts';

/** What an import of rules hands over to the operation. */
export type RulesContent =
  | { readonly rules: unknown; readonly rule_type?: string }
  | { readonly lines: string; readonly rule_type?: string };

/**
 * Tells by the content whether a file is an export, the rules of one type, or JSON lines. `type` is for content that
 * does not name it: a list of documents, or lines before the first header.
 */
export function readRulesContent(bytes: Uint8Array, type: string | undefined): RulesContent {
  const text = decoded(bytes);
  if (text.trim() === '') throw new AppError('invalid_input', 'there is nothing to import: the file is empty');
  const whole = parsed(text);
  if (whole === undefined) {
    if (parsed(firstLine(text)) === undefined) throw notJson(text);
    return { lines: text, ...(type === undefined ? {} : { rule_type: type }) };
  }
  if (Array.isArray(whole.value)) {
    if (type === undefined)
      throw new UsageError('the file is a list of rules without their type; name it with --type <type>');
    return { rules: whole.value, rule_type: type };
  }
  if (isObject(whole.value) && 'rules' in whole.value) {
    const { rules, rule_type } = whole.value;
    const own = typeof rule_type === 'string' ? rule_type : Array.isArray(rules) ? type : undefined;
    return { rules, ...(own === undefined ? {} : { rule_type: own }) };
  }
  // A single line is JSON as a whole too.
  return {
    lines: text.trim().includes('\n') ? JSON.stringify(whole.value) : text,
    ...(type === undefined ? {} : { rule_type: type }),
  };
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_input', 'the file is no text in UTF-8; nothing was imported', { cause });
  }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? '';
}

function notJson(text: string): AppError {
  let reason = 'it cannot be parsed';
  try {
    JSON.parse(text);
  } catch (error) {
    // It shows the place, which may hold line ends.
    reason = (error as Error).message.replaceAll(/\s+/g, ' ');
  }
  return new AppError('invalid_input', `the file is neither JSON nor JSON lines; nothing was imported: ${reason}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
