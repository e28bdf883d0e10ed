import { basename } from 'node:path';
import { type RulesContent, readRulesText, UntypedRules } from '../../app/rules/transfer/rules-text.ts';
import { AppError } from '../../ports/errors.ts';
import { PAGE_MODELS } from './page-models.ts';
import { UsageError } from './usage-error.ts';

/** Determines from the content what a file holds; see `readRulesText`. */
export function readRulesContent(
  bytes: Uint8Array,
  {
    file,
    type,
    skipBroken = false,
  }: { readonly file: string; readonly type?: string | undefined; readonly skipBroken?: boolean },
): RulesContent {
  try {
    return readRulesText(decoded(bytes), type ?? pageExportType(file), skipBroken);
  } catch (error) {
    if (!(error instanceof UntypedRules)) throw error;
    throw new UsageError('the file is a list of rules without their type; name it with --type <type>');
  }
}

/**
 * File name that the pages of existing installations give a download: its model and the time. It holds documents without their
 * type.
 */
const PAGE_EXPORT = /^([A-Za-z]+)_\d+(?: ?\(\d+\))?\.syncer_json$/;

function pageExportType(file: string): string | undefined {
  const [, model] = PAGE_EXPORT.exec(basename(file)) ?? [];
  if (model === undefined) return undefined;
  const type = Object.hasOwn(PAGE_MODELS, model) ? PAGE_MODELS[model] : undefined;
  if (type !== undefined) return type;
  throw new UsageError(
    `${basename(file)} holds documents of the model ${model} without their type; name it with --type <type>: "muster rules types" lists them`,
  );
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_input', 'the file is not UTF-8 text; nothing was imported', { cause });
  }
}
