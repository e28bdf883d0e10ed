import * as z from 'zod';
import { API_ACCOUNT_TYPES } from '../../../kit/account-options/api-accounts.ts';
import { importOptions } from '../../../kit/account-options/import-options.ts';
import {
  type AccountField,
  type AccountFieldTitles,
  isObjectTarget,
  type ObjectTargetType,
} from '../../../ports/index.ts';
import { columnNames } from '../../kernel/listing.ts';
import type { Column } from '../../kernel/print.ts';
import { commonTargetOptions } from '../account-types.ts';
import { signInOptions } from '../decisions/sign-in-options.ts';
import { optionSchema } from '../option-schemas.ts';
import type { AccountServices } from '../services.ts';
import { defineOperation } from '../services.ts';

const FIELDS = ['address', 'username', 'password'] as const satisfies readonly AccountField[];

const FIELD_TITLES = {
  address: 'Address',
  username: 'User name',
  password: 'Password',
} as const satisfies AccountFieldTitles;

const jsonSchema = z.record(z.string(), z.unknown());

const typeSchema = z.object({
  id: z.string(),
  aliases: z.array(z.string()).describe('Other names that stored accounts may have for it'),
  title: z.string(),
  description: z.string(),
  kind: z
    .enum(['source', 'target', 'both', 'channel', 'sign_in', 'api'])
    .describe(
      'Hosts come from it, go to it, do both, or are written through the API; channel: notifications go through it; sign_in: people log in with it',
    ),
  unused_fields: z
    .array(z.enum(FIELDS))
    .describe(
      'Fields that accounts of the type have no use for; rules may still read them as {{ACCOUNT:<name>:<field>}}',
    ),
  fields: z
    .array(
      z.object({
        name: z.enum(FIELDS),
        title: z.string(),
        needed: z.string().describe('Example of a value, if no account is saved without it; else empty'),
      }),
    )
    .describe('Labels of address, user name and password'),
  options: jsonSchema.describe('JSON schema of the options that only this type has'),
  common_options: jsonSchema.describe('JSON schema of the options that all types of the kind have'),
  objects: z
    .array(z.object({ id: z.string(), title: z.string() }))
    .optional()
    .describe(
      'Targets with objects: the kinds of them, in the order in which they are made; none where each account says its own',
    ),
});

type AccountType = z.output<typeof typeSchema>;

const COLUMNS: readonly Column<AccountType>[] = [
  { header: 'type', value: ({ id }) => id, paint: (text, _type, colours) => colours.bold(text) },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'title', value: ({ title }) => title },
  { header: 'description', value: ({ description }) => description, shrink: true },
];

const NO_OPTIONS = { type: 'object', properties: {} };

export const listAccountTypes = defineOperation({
  name: 'accounts/list-account-types',
  title: 'Account types',
  description: 'The types that an account can have, with their options as JSON schema.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'account types',
      storage: 'optional',
      description: 'List the types that an account can have, those of plugins included.',
      summary: 'list the types that an account can have',
      columns: columnNames(COLUMNS),
      json: 'answer a JSON array of types, with their options as JSON schema',
      answered: ({ types }) => types,
      examples: ['muster account types', 'muster account types --columns type,options', 'muster account types --json'],
      view: ({ types }, print) => print.table(types, COLUMNS, 'There are no types.'),
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({ types: z.array(typeSchema) }),
  async run(_input, { services }) {
    const types = [
      ...inOne(sources(services), targets(services)),
      ...channels(services),
      ...signIns(services),
      API_TYPE,
    ];
    return { types: types.sort((a, b) => (a.id < b.id ? -1 : 1)) };
  },
});

/** A type that is both has all options. */
function inOne(sources: readonly AccountType[], targets: readonly AccountType[]): readonly AccountType[] {
  const merged = sources.map((source): AccountType => {
    const target = targets.find(({ id }) => id === source.id);
    if (target === undefined) return source;
    return {
      ...target,
      ...source,
      kind: 'both',
      options: bothOf(source.options, target.options),
      common_options: bothOf(source.common_options, target.common_options),
      unused_fields: source.unused_fields.filter((field) => target.unused_fields.includes(field)),
    };
  });
  return [...merged, ...targets.filter(({ id }) => sources.every((source) => source.id !== id))];
}

function bothOf(one: AccountType['options'], other: AccountType['options']): AccountType['options'] {
  const required = [one.required, other.required].flatMap((names) => (Array.isArray(names) ? names : []));
  const properties = { ...(other.properties as object), ...(one.properties as object) };
  return { ...other, ...one, properties, ...(required.length === 0 ? {} : { required: [...new Set(required)] }) };
}

interface DeclaredType {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly unusedFields?: readonly AccountField[];
  readonly fieldTitles?: AccountFieldTitles;
  readonly neededAddress?: string;
  readonly options?: z.ZodType;
}

function typeOf(
  { id, aliases = [], title, description, unusedFields = [], fieldTitles, neededAddress = '', options }: DeclaredType,
  kind: AccountType['kind'],
  common?: z.ZodType,
): AccountType {
  return {
    id,
    aliases: [...aliases],
    title,
    description,
    kind,
    unused_fields: [...unusedFields],
    fields: FIELDS.map((name) => ({
      name,
      title: fieldTitles?.[name] ?? FIELD_TITLES[name],
      needed: name === 'address' ? neededAddress : '',
    })),
    options: schemaOf(options),
    common_options: schemaOf(common),
  };
}

function schemaOf(options: z.ZodType | undefined): AccountType['options'] {
  return options === undefined ? NO_OPTIONS : optionSchema(options);
}

function sources({ plugins }: AccountServices): readonly AccountType[] {
  return typesOf(
    plugins.sourceIds(),
    (id) => plugins.source(id)?.item,
    (type) => typeOf({ ...type, ...(type.isLocal === true && { unusedFields: FIELDS }) }, 'source', importOptions()),
  );
}

function targets({ plugins }: AccountServices): readonly AccountType[] {
  return typesOf(
    plugins.targetIds(),
    (id) => plugins.target(id)?.item,
    (type) => ({
      ...typeOf(type, 'target', commonTargetOptions(type)),
      ...(isObjectTarget(type) && { objects: kindsOf(type) }),
    }),
  );
}

function channels({ plugins }: AccountServices): readonly AccountType[] {
  return typesOf(
    plugins.notificationChannelIds(),
    (id) => plugins.notificationChannel(id)?.item,
    (type) => typeOf(type, 'channel'),
  );
}

function signIns({ plugins }: AccountServices): readonly AccountType[] {
  return typesOf(
    plugins.signInMethodIds(),
    (id) => plugins.signInMethod(id)?.item,
    (type) => typeOf(type, 'sign_in', signInOptions()),
  );
}

function typesOf<Type>(
  ids: readonly string[],
  named: (id: string) => Type | undefined,
  answer: (type: Type) => AccountType,
): readonly AccountType[] {
  return ids.flatMap((id) => {
    const type = named(id);
    return type === undefined ? [] : [answer(type)];
  });
}

function kindsOf({ kinds }: ObjectTargetType): { id: string; title: string }[] {
  return kinds === 'by_account' ? [] : kinds.map(({ id, title }) => ({ id, title }));
}

const API_TYPE = typeOf(
  {
    id: 'api',
    aliases: [...API_ACCOUNT_TYPES].filter((name) => name !== 'api'),
    title: 'API',
    description: 'Hosts are written under this account by hand or over the API: REST, command line, tool server.',
    unusedFields: FIELDS,
  },
  'api',
);
