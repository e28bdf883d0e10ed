import { detailOf, worded } from '../../kit/worded.ts';
import { AppError, isObjectTarget, type RuleDocument } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { confirmerOf } from '../rules/trust/confirmer.ts';
import { effectiveOptions, withSettings } from './account-settings.ts';
import { commonTargetOptions, fieldsFor, optionAliases } from './account-types.ts';
import { parseTypeOptions } from './decisions/type-options.ts';
import type { AccountServices } from './services.ts';

/**
 * Returns the document with the path that its target writes: a new relative one, given by a user other than the operator of the
 * machine, begins in the first folder of targets. A path that was stored before is left alone, so that no files move. The options are
 * already checked. Throws `AppError('invalid_input')` for a new path outside of the folders.
 */
export async function withWrittenPath(
  services: AccountServices,
  caller: Caller,
  type: string,
  document: RuleDocument,
  before?: RuleDocument,
): Promise<RuleDocument> {
  if (confirmerOf(caller) === 'operator') return document;
  const after = await writtenPath(services, type, document);
  if (after === undefined) return document;
  const { option, path } = after;
  if (before !== undefined && (await earlierPath(services, type, before)) === path) return document;
  const folder = await services.files.beginning(literalBeginning(path));
  if (folder === '') return document;
  if (folder === undefined) {
    const folders = services.files.folders().targets.join(', ') || '-';
    const problem = worded`${{ path }} is outside of the folders that targets write into (${{ folders }}); name a path below one of them, or have the operator of the machine set it at the command line`;
    throw new AppError('invalid_input', problem, { details: [detailOf(option, problem)] });
  }
  const placed = `${folder}/${path.replace(/^(?:\.\/+)+/, '')}`;
  return withSettings(document, { [option]: placed }, optionAliases(services, type));
}

/** The part rendered from a host follows this beginning, and the target itself keeps that below it. */
function literalBeginning(path: string): string {
  const marks = path.search(/\{[{%]/);
  return marks < 0 ? path : `${path.slice(0, path.slice(0, marks).lastIndexOf('/') + 1)}x`;
}

interface WrittenPath {
  readonly option: string;
  readonly path: string;
}

async function writtenPath(
  services: AccountServices,
  type: string,
  document: RuleDocument,
): Promise<WrittenPath | undefined> {
  const target = services.plugins.target(type)?.item;
  if (target === undefined || isObjectTarget(target) || target.writtenPath === undefined) return undefined;
  const fields = fieldsFor('export', services, type, await effectiveOptions(services, document));
  const { own } = parseTypeOptions(commonTargetOptions(target), target, fields);
  const option = target.writtenPath(own);
  const path = option === undefined ? undefined : (own as Readonly<Record<string, unknown>>)[option];
  return option === undefined || typeof path !== 'string' ? undefined : { option, path };
}

/** Options of existing accounts may be wrong by now. */
async function earlierPath(
  services: AccountServices,
  type: string,
  document: RuleDocument,
): Promise<string | undefined> {
  try {
    return (await writtenPath(services, type, document))?.path;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
