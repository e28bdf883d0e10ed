import { httpClientOf, systemAt } from '../../../kit/http-account/client.ts';
import { valuesAt } from '../../../kit/records/record-path.ts';
import {
  AppError,
  type HttpClient,
  type ObjectTarget,
  type RemoteReading,
  type TargetAccount,
  type TargetServices,
} from '../../../ports/index.ts';
import { FIRST_PLACE } from '../list-request.ts';
import { completed, valuesOf, withAddress } from '../parameters.ts';
import { namedPreset } from '../preset-files.ts';
import { parse } from '../preset-text.ts';
import { applyChanges } from './apply-changes.ts';
import { type CompiledKind, compileKinds } from './compile-kind.ts';
import { type KindDeclaration, objectsSchema, TARGET_PRESETS } from './declaration.ts';
import { completeTarget, type TargetAccountOptions, type TargetOptions } from './options.ts';
import { readObjects } from './read-objects.ts';
import { valuesOfRecord } from './wanted.ts';

export interface OpenRequest {
  readonly options: TargetAccountOptions;
  readonly account: TargetAccount;
  readonly services: TargetServices;
  /** Parameters of the preset that are options of the account. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Presets of the operator. */
  readonly folder: string;
}

/** Compiles all that the account and its preset say. Throws `AppError('invalid_input')` for what cannot work. */
export async function openRestTarget({
  options: given,
  account,
  services,
  parameters,
  folder,
}: OpenRequest): Promise<ObjectTarget> {
  const preset = typeof given.preset === 'string' ? await namedPreset(TARGET_PRESETS, given.preset, folder) : undefined;
  const options = withAddress(completed(preset, given, completeTarget, ['objects']), preset, account);
  const values = valuesOf(options, preset, account, parameters);
  const kinds = compileKinds(declarationsOf(options.objects, preset?.objects), options, values);
  const byName = new Map(kinds.map((kind) => [kind.declared.id, kind]));

  const client = (context: Pick<RemoteReading, 'signal'>): Promise<HttpClient> =>
    httpClientOf(
      options,
      account,
      { http: services.http, logger: services.logger, files: services.sourceFiles },
      context,
    );

  // One for all changes of a run: some systems log in.
  let writer: Promise<HttpClient> | undefined;
  return {
    kinds: kinds.map(({ declared }) => declared),
    ...systemAt(options.url ?? account.address),
    async *read(context) {
      const open = await client(context);
      try {
        yield* readObjects(kinds, open, options.join_requests, context);
      } finally {
        await open.close();
      }
    },
    wanted(record) {
      const known = valuesOfRecord(record);
      return kinds.flatMap(({ wanted }) => wanted(record, known));
    },
    async apply(changes, context) {
      writer ??= client(context);
      return applyChanges(byName, await writer, changes, context);
    },
    async close() {
      const open = await writer?.catch(() => undefined);
      writer = undefined;
      await open?.close();
    },
    async check(context) {
      const open = await client(context);
      try {
        const who = account.username === '' || options.auth === 'none' ? '' : ` as ${account.username}`;
        const where = `${preset?.title ?? 'Objects over HTTP'} at ${options.url ?? account.address}${who}`;
        return `${where}${await versionOf(open, options, kinds, context)}`;
      } finally {
        await open.close();
      }
    },
  };
}

/** Tells what is wrong with the kinds of an account when it is saved. */
export function refuseObjects(text: unknown): void {
  if (typeof text === 'string' && text.trim() !== '') declarationsOf(text, undefined);
}

/** A declaration by the account takes precedence over that of its preset. */
function declarationsOf(text: string, preset: readonly KindDeclaration[] | undefined): readonly KindDeclaration[] {
  if (text.trim() === '') {
    if (preset !== undefined) return preset;
    throw invalid('is missing: what kinds of objects there are; or name a preset that says it');
  }
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw invalid(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const checked = objectsSchema.safeParse(document);
  if (checked.success) return checked.data;
  const details = checked.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
  throw invalid(`is not valid: ${details.join('; ')}`);
}

function invalid(message: string): AppError {
  return new AppError('invalid_input', `objects ${message}`);
}

/** Asks the system once. */
async function versionOf(
  client: HttpClient,
  { check_path, version_key }: TargetOptions,
  [first]: readonly CompiledKind[],
  context: Pick<RemoteReading, 'signal'>,
): Promise<string> {
  if (check_path === undefined) {
    const list = first?.lists[0]?.request;
    if (list !== undefined) (await client.request(list.at(FIRST_PLACE), context)).discard();
    return '';
  }
  const { value = null } = await client.json({ path: check_path }, context);
  const found = version_key === undefined ? undefined : valuesAt(value, version_key)?.[0];
  return typeof found === 'string' || typeof found === 'number' ? `, version ${found}` : '';
}
