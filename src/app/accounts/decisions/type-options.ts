import * as z from 'zod';
import { aliasesOf } from '../../../kit/options/aliases.ts';
import { HTTP_OPTIONS } from '../../../kit/options/http-options.ts';
import { issueSentence, PLAIN_MESSAGES } from '../../../kit/plain-message.ts';
import { detailOf, phrase, type Said, saidAt, strung, worded } from '../../../kit/worded.ts';
import { AppError, type ErrorDetail } from '../../../ports/index.ts';

/** A type of accounts, as far as its options go. */
export interface OptionsType<Options> {
  readonly id: string;
  readonly options: z.ZodType<Options>;
  /** See `SourceType`. */
  readonly isLocal?: boolean;
}

export interface TypeOptions<Common, Own> {
  /** Those that all accounts of the kind have. */
  readonly common: Common;
  /** Those of the type. */
  readonly own: Own;
}

/**
 * Reads the options of an account: the common ones, and those of its type. Empty texts count as not set, because stored
 * accounts carry a field for every option they could have. Throws `AppError('invalid_input')` that names each wrong field.
 */
export function parseTypeOptions<Shape extends z.ZodRawShape, Own>(
  commonOptions: z.ZodObject<Shape>,
  type: OptionsType<Own>,
  fields: Readonly<Record<string, unknown>>,
): TypeOptions<z.output<z.ZodObject<Shape>>, Own> {
  const aliases = new Map([...aliasesOf(type.options), ...aliasesOf(commonOptions)]);
  const { given, twice } = byName(type.isLocal === true ? withoutHttp(fields) : fields, aliases);
  const isCommon = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(commonOptions.shape, name);
  const common = commonOptions.safeParse(Object.fromEntries([...given].filter(isCommon)), PLAIN_MESSAGES);
  const own = type.options.safeParse(
    Object.fromEntries([...given].filter((field) => !isCommon(field))),
    PLAIN_MESSAGES,
  );
  if (common.success && own.success && twice.length === 0) return { common: common.data, own: own.data };
  const issues = [...(common.error?.issues ?? []), ...(own.error?.issues ?? [])];
  const details = [...twice, ...issues.flatMap((issue) => describeIssue(issue, given))];
  const problems = strung(details.map(sentenceOf)) ?? '';
  const isKnown = issues.every((issue) => issue.code !== 'unrecognized_keys');
  const names = optionNames(type, commonOptions).join(', ');
  throw new AppError(
    'invalid_input',
    isKnown
      ? worded`options of a ${{ type: type.id }} account: ${{ problems }}`
      : worded`options of a ${{ type: type.id }} account: ${{ problems }}; options of this type: ${{ names }}`,
    { details },
  );
}

function sentenceOf(detail: ErrorDetail): Said {
  const problem = saidAt(detail);
  return detail.path === '' ? problem : worded`${{ path: detail.path }} ${{ problem }}`;
}

function withoutHttp(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !HTTP_OPTIONS.has(name)));
}

/** Returns the options that are set, by their names here, and the faults of those set by two names with the same meaning. */
function byName(
  fields: Readonly<Record<string, unknown>>,
  aliases: ReadonlyMap<string, string>,
): { readonly given: ReadonlyMap<string, unknown>; readonly twice: readonly ErrorDetail[] } {
  const given = new Map<string, unknown>();
  const twice: ErrorDetail[] = [];
  for (const [alias, value] of Object.entries(fields)) {
    if (value === '' || value === undefined || value === null) continue;
    const name = aliases.get(alias) ?? alias;
    if (given.has(name) && given.get(name) !== value) {
      twice.push(detailOf(name, worded`is set by several names, with different values; keep ${{ name }} only`));
    } else given.set(name, value);
  }
  return { given, twice };
}

/** Names of all options an account of this type can have: its own first. */
function optionNames(type: OptionsType<unknown>, common: z.ZodObject): readonly string[] {
  const own = type.options instanceof z.ZodObject ? Object.keys(type.options.shape) : [];
  return [...own, ...Object.keys(common.shape).filter((name) => !own.includes(name))];
}

function describeIssue(issue: z.core.$ZodIssue, given: ReadonlyMap<string, unknown>): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: key, message: phrase`is not an option of this type` }));
  }
  const path = issue.path.join('.');
  const absent = issue.path.length === 1 && !given.has(path) && issue.code === 'invalid_type';
  return [detailOf(path, absent ? phrase`is required` : issueSentence(issue))];
}
