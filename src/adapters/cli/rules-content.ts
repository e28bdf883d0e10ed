import { type RulesContent, readRulesText, UntypedRules } from '../../app/rules/transfer/rules-text.ts';
import { AppError } from '../../ports/errors.ts';
import { UsageError } from './usage-error.ts';

/** Tells by the content what a file holds; see `readRulesText`. */
export function readRulesContent(bytes: Uint8Array, type: string | undefined, skipBroken = false): RulesContent {
  try {
    return readRulesText(decoded(bytes), type, skipBroken);
  } catch (error) {
    if (!(error instanceof UntypedRules)) throw error;
    throw new UsageError('the file is a list of rules without their type; name it with --type <type>');
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_input', 'the file is not UTF-8 text; nothing was imported', { cause });
  }
}
