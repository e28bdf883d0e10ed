import { scalarText } from '../../../kit/document/members.ts';
import { httpClientOf, systemAt } from '../../../kit/http-account/client.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { saidBy, worded } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import {
  AppError,
  type Change,
  type ChangeOutcome,
  type HttpClient,
  type HttpContext,
  HttpError,
  type JsonObject,
  type ObjectTarget,
  type RemoteGap,
  type RemoteObject,
  type RemoteReading,
  type TargetAccount,
  type TargetKind,
  type TargetServices,
} from '../../../ports/index.ts';
import { completeTarget, targetAccountOptions } from '../export/options.ts';
import { FAMILY, KIND, NAME, partsOfKey, wantedObjects } from './decided.ts';
import { attributesOf, type JiraType, numberOf, typeNumbers, typeOf } from './schema.ts';
import { JIRA_ADDRESS } from './target-options.ts';
import { applyChange } from './write.ts';

/** At most, by the documentation of AQL. */
const PAGE = 500;

export interface OpenJira {
  readonly options: Readonly<Record<string, unknown>>;
  readonly account: TargetAccount;
  readonly services: TargetServices;
}

/** Objects of Jira Assets (cloud), as the rules of existing installations say them. Throws where the account names no workspace. */
export function openJiraTarget({ options, account, services }: OpenJira): ObjectTarget {
  const known = Object.entries(options).filter(([name]) => Object.hasOwn(targetAccountOptions().shape, name));
  const workspace = typeof options.workspace_id === 'string' ? options.workspace_id.trim() : '';
  if (!/^[\w-]+$/.test(workspace)) {
    throw new AppError(
      'invalid_input',
      worded`workspace_id is missing: the id of the Assets workspace, as its address has it`,
    );
  }
  const address = typeof options.url === 'string' ? options.url.replace(/\/+$/, '') : JIRA_ADDRESS;
  const settings = completeTarget(
    { auth: 'basic' },
    targetAccountOptions().parse({
      ...Object.fromEntries(known),
      url: `${address}/jsm/assets/workspace/${workspace}/v1`,
    }),
  );
  const named = Array.isArray(options.object_types) ? (options.object_types as readonly string[]) : [];
  const kind: TargetKind = {
    id: KIND,
    title: 'Objects',
    fields: { attributes: { compare: 'members' } },
    family: FAMILY,
    ...(options.update_only === true && { onlyThere: true }),
  };
  const client = (context: HttpContext): Promise<HttpClient> =>
    httpClientOf(
      settings,
      account,
      { http: services.http, logger: services.logger, files: services.sourceFiles },
      context,
    );
  const numbers = async (http: HttpClient, context: HttpContext): Promise<readonly string[]> =>
    named.length > 0 ? named : typeNumbers(http, context);

  // One for all changes of a run.
  let writer: Promise<HttpClient> | undefined;
  let types = new Map<string, Promise<JiraType>>();
  return {
    kinds: [kind],
    ...systemAt(settings.url ?? ''),
    async *read(context) {
      const http = await client(context);
      try {
        for (const number of await numbers(http, context)) {
          yield* objectsOf(http, await typeOf(http, number, context), context);
          context.progress();
        }
      } finally {
        await http.close();
      }
    },
    wanted(record) {
      const wanted = wantedObjects(record);
      const odd = wanted.find(({ key }) => named.length > 0 && !named.includes(partsOfKey(key).type));
      if (odd === undefined) return wanted;
      throw new Error(`object type ${partsOfKey(odd.key).type} is not among object_types of the account`);
    },
    async apply(changes, context): Promise<readonly ChangeOutcome[]> {
      writer ??= client(context);
      const http = await writer;
      const outcomes: ChangeOutcome[] = [];
      for (const change of changes)
        outcomes.push(await applyChange(http, change, typeOfChange(http, change, context), context));
      return outcomes;
    },
    async close() {
      const open = await writer?.catch(() => undefined);
      writer = undefined;
      types = new Map();
      await open?.close();
    },
    async check(context) {
      const http = await client(context);
      try {
        const found: JiraType[] = [];
        for (const number of await numbers(http, context)) found.push(await typeOf(http, number, context));
        const attributes = found.reduce((sum, type) => sum + type.attributes.size, 0);
        return `Jira Assets at ${address} as ${account.username}: ${counted(found.length, 'object type')} with ${counted(attributes, 'attribute')}`;
      } finally {
        await http.close();
      }
    },
  };

  function typeOfChange(http: HttpClient, { key }: Change, context: HttpContext): Promise<JiraType> {
    const { type } = partsOfKey(key);
    let known = types.get(type);
    if (known === undefined) {
      known = typeOf(http, type, context);
      types.set(type, known);
      known.catch(() => types.delete(type));
    }
    return known;
  }
}

/** Yields all objects of a type. An object without a name cannot be referred to. */
async function* objectsOf(
  http: HttpClient,
  type: JiraType,
  context: RemoteReading,
): AsyncGenerator<readonly (RemoteObject | RemoteGap)[], void, undefined> {
  if (!type.attributes.has(NAME)) return;
  // Not by the total: it says no more than 1,000, however many there are.
  const walk = {
    by: 'offset',
    parameter: 'startAt',
    size: { parameter: 'maxResults', value: PAGE },
    items: 'values',
  } as const;
  const request = {
    method: 'POST',
    path: 'object/aql',
    query: { includeAttributes: true },
    json: { qlQuery: `objectTypeId = ${type.id}` },
    repeatable: true,
  };
  try {
    for await (const { records } of http.pages(request, walk, context)) {
      yield records.flatMap((record) => (isJsonObject(record) ? objectOf(record, type) : []));
    }
  } catch (error) {
    // Without an answer at all, or without a login, there is nothing to go on with.
    if (!(error instanceof HttpError) || error.status === undefined || error.status === 401) throw error;
    yield [{ gap: worded`objects of type ${{ type: type.id }}`, reason: saidBy(error), kinds: [KIND] }];
  }
}

function objectOf(record: JsonObject, type: JiraType): readonly RemoteObject[] {
  const { [NAME]: name, ...attributes } = attributesOf(record, type);
  const text = scalarText(name)?.trim() ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  if (text === '' || /[\u0000-\u001f]/.test(text) || text.length > 900) return [];
  // Nothing there says whose an object is.
  const key = `${type.id}${FAMILY}${text}`;
  return [{ kind: KIND, key, id: numberOf(record), fields: { attributes }, owner: 'nobody' }];
}
