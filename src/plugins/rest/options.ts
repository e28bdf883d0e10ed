import * as z from 'zod';
import { httpAccountMembers } from '../../kit/http-account/members.ts';
import { METHODS, method } from '../../kit/http-account/method.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { textList, whole } from '../../kit/options/values.ts';
import { objectOptions, recordOptions } from '../../kit/records/options.ts';
import { RELATION_FAULT, readRelationField } from '../../kit/records/relation-fields.ts';
import { ignoredMembersOption } from '../../kit/records/whole-list.ts';
import { phrase, schemaText, worded } from '../../kit/worded.ts';

const PAGING = ['auto', 'none', 'link', 'next', 'cursor', 'page', 'offset'] as const;
const PROTOCOLS = ['json', 'graphql', 'jsonrpc'] as const;

const path = madeOnce(() => z.string().min(1).optional());

/** A member of an outer element, and what it is called in the records. */
export function readOuterField(text: string): { readonly name: string; readonly path: string } | undefined {
  const sign = text.indexOf(':');
  const path = text.slice(sign + 1).trim();
  const name = sign === -1 ? path : text.slice(0, sign).trim();
  return path === '' || name === '' ? undefined : { name, path };
}

/** How one list is asked for: of the hosts, and of what is joined to them. */
export const requestMembers = madeOnce(() =>
  titled(
    {
      path: z
        .string()
        .default('')
        .describe(
          'The path of the list below the address; {{ name }} is filled in from parameters, username and account',
        ),
      method: method()
        .optional()
        .describe('The method of the request; absent: POST with a body, GET without')
        .meta({ enum: [...METHODS], rare: true }),
      query: z
        .string()
        .default('')
        .describe('Parameters of the request: name=value&name=value, each value filled in like path'),
      body: z
        .string()
        .default('')
        .describe(
          'Body of POST, PUT and PATCH requests: JSON, fields of a form, a text, or a GraphQL query. Texts are filled in like path, also with PAGE, OFFSET, LIMIT and CURSOR',
        )
        .meta({ aliases: ['post_body'], lines: true }),
      protocol: z
        .enum(PROTOCOLS, { error: schemaText(worded`must be one of ${{ choices: PROTOCOLS.join(', ') }}`) })
        .default('json')
        .describe(
          'json: what the status says counts; graphql and jsonrpc: errors in an answer with status 200 count too',
        ),
      data_key: z
        .string()
        .optional()
        .describe('Dotted path to the list of records; absent: the answer itself, or the only list in it'),
      paging: z
        .enum(PAGING, { error: schemaText(worded`must be one of ${{ choices: PAGING.join(', ') }}`) })
        .default('auto')
        .describe(
          'How to get the next page. auto: by the header Link or an address in the answer, if there is one; none: one answer has all; link: the header; next: an address at next_key; cursor, page, offset: by page_parameter, or by CURSOR, PAGE and OFFSET in path, query or body',
        ),
      page_parameter: path()
        .describe('The parameter for the number of the page, the records to skip, or the cursor')
        .meta({ when: { paging: ['cursor', 'page', 'offset'] } }),
      page_size: whole(1, 100_000)
        .optional()
        .describe('How many records a page is asked for')
        .meta({ aliases: ['sysparm_limit'] }),
      page_size_parameter: path().describe('The parameter for that').meta({ rare: true }),
      first_page: whole(0)
        .default(1)
        .describe('paging page: the number of the first page')
        .meta({ when: { paging: ['page'] } }),
      next_key: z
        .string()
        .min(1)
        .default('next')
        .describe('paging next: dotted path to the address of the next page')
        .meta({ when: { paging: ['next'] } }),
      cursor_key: path()
        .describe('paging cursor: dotted path to the cursor of the next page')
        .meta({ when: { paging: ['cursor'] } }),
      more_key: path()
        .describe('paging cursor: dotted path to a flag that says whether there is more')
        .meta({ when: { paging: ['cursor'] } }),
      total_key: path()
        .describe(
          'Dotted path to the number of all records; none: numbers in the answer are not compared; absent: as systems usually call it, and a run that read fewer is partial',
        )
        .meta({ rare: true }),
      pages_key: path()
        .describe('paging page: dotted path to the number of pages')
        .meta({ when: { paging: ['page'] } }),
      end_status: whole(400, 499)
        .optional()
        .describe(
          'paging page and offset: the status with which the system answers behind the last page, such as 404; absent: a page that is answered so is missing',
        )
        .meta({ when: { paging: ['page', 'offset'] }, rare: true }),
      ignored_members: ignoredMembersOption(),
    },
    {
      Where: {
        path: 'Path of the list',
        method: 'Method',
        body: 'Body of the request',
        protocol: 'Protocol',
        paging: 'Paging',
        page_parameter: 'Parameter for the page',
        page_size: 'Records a page',
        page_size_parameter: 'Parameter for the page size',
        first_page: 'Number of the first page',
        next_key: 'Path to the next address',
        cursor_key: 'Path to the cursor',
        more_key: 'Path to the flag for more',
        total_key: 'Path to the total',
        pages_key: 'Path to the number of pages',
        end_status: 'Status behind the last page',
      },
      Which: { query: 'Query', data_key: 'Path to the records', ignored_members: 'Members that say nothing' },
    },
  ),
);

/** Options for processing the records of one list. */
export const recordMembers = madeOnce(() =>
  titled(
    {
      record_type: z
        .string()
        .trim()
        .min(1)
        .max(64)
        .optional()
        .describe(
          'Type of the records: host, or an object such as application or location; absent: that of the account',
        )
        .meta({ rare: true }),
      name_template: z
        .string()
        .default('')
        .describe(
          'Template for the name of a record, with its members: {{ site.name }}-{{ number }}; absent: the member hostname_field',
        )
        .meta({ rare: true }),
      outer_fields: textList()
        .refine((fields) => fields.every((field) => readOuterField(field) !== undefined), {
          message: phrase`must be names or paths of members, with the name to take them over by: device:name`,
        })
        .default([])
        .describe(
          'If data_key steps from one list into another: members of the outer element to add to its records, comma-separated: device:name',
        )
        .meta({ rare: true }),
      relation_fields: textList()
        .refine((fields) => fields.every((field) => readRelationField(field) !== undefined), {
          message: RELATION_FAULT,
        })
        .default([])
        .describe(
          'Edges to other hosts and objects, and the members that name those, comma-separated: runs_on:hypervisor.name, member_of:clusters[].name',
        )
        .meta({ rare: true }),
      ...recordOptions(),
      ...objectOptions(),
    },
    {
      'What becomes of it': {
        record_type: 'Type of the records',
        name_template: 'Template for names',
        relation_fields: 'Relations',
      },
      Which: { outer_fields: 'Members of outer lists' },
    },
  ),
);

/** How accounts name a preset, and what they say to it. */
export const presetOptions = madeOnce(() =>
  titled(
    {
      preset: z
        .string()
        .regex(/^[a-z0-9][a-z0-9_-]{0,60}$/, phrase`must be the name of a preset; "muster preset list" shows them`)
        .optional()
        .describe('Options and mapping for a known system; options of the account count before those of the preset'),
      parameters: z
        .string()
        .default('')
        .describe('Values for {{ name }} in path, query and body: name=value, separated by & or line by line')
        .meta({ lines: true }),
      api_token: z
        .string()
        .optional()
        .describe('A second secret in addition to the password, {{ api_token }} in path, query and body'),
    },
    {
      Where: { preset: 'Preset', parameters: 'Parameters', api_token: 'API token' },
    },
  ),
);

/** All options with their defaults. */
const members = madeOnce(() =>
  titled(
    {
      ...httpAccountMembers(),
      ...presetOptions(),
      ...requestMembers(),
      repeat: path()
        .describe(
          'The name of a parameter with several values, separated by commas: the list is read once for each of them',
        )
        .meta({ rare: true }),
      hostname_field: z
        .string()
        .min(1)
        .default('host')
        .describe(
          'The member with the hostname; dots reach into objects, and of several, separated by commas, the first that a record has counts',
        ),
      records: z
        .enum(['list', 'by_name', 'lines'], { error: phrase`must be list, by_name or lines` })
        .default('list')
        .describe(
          'Structure of the records: list; by_name: an object of records, each under its hostname; lines: one JSON document per line',
        ),
      ...recordMembers(),
      join: z
        .string()
        .default('')
        .describe(
          'Further requests whose answers belong to the records, as a JSON list: {"path", "on", "key", "as"} for a list that is joined by a member, {"path": "devices/{id}", "as"} for one request a record',
        )
        .meta({ rare: true }),
      objects: z
        .string()
        .default('')
        .describe(
          'Further lists, whose records are objects: names of those that the preset has, comma-separated, or a JSON list of them: {"record_type", "path", "data_key", "hostname_field"}',
        )
        .meta({ rare: true }),
      check_path: path()
        .describe('The path that "muster account test" asks; absent: the first page of the list')
        .meta({ rare: true }),
      version_key: path()
        .describe('Dotted path to the version of the system in the answer at check_path')
        .meta({ rare: true }),
      join_requests: whole(1, 16)
        .default(4)
        .describe('How many requests for single records are under way at once')
        .meta({ rare: true }),
    },
    {
      Which: {
        repeat: 'Parameter to repeat for',
        hostname_field: 'Member with the hostname',
        records: 'Structure of the records',
        join: 'Joined requests',
        objects: 'Kinds of objects',
      },
      Where: {
        check_path: 'Path of the connection test',
        version_key: 'Path to the version',
        join_requests: 'Requests at once',
      },
    },
  ),
);

const completeOptions = madeOnce(() => z.strictObject(members()));
export type RestOptions = z.output<ReturnType<typeof completeOptions>>;

/** Options as accounts set them: a preset may provide the others, so there are no defaults at this point. */
export const accountOptions = madeOnce(() => withoutDefaults(members()));
export type AccountOptions = z.output<ReturnType<typeof accountOptions>>;

/** Options of an account before those of its preset, and the defaults behind both. */
export function complete(preset: Readonly<Record<string, unknown>>, account: AccountOptions): RestOptions {
  return completeOptions().parse({ ...preset, ...onlySet(account) });
}

export function onlySet(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Returns the same options, absent unless they are set. Forms and tables still show their defaults. */
export function withoutDefaults(shape: Readonly<Record<string, z.ZodType>>) {
  return z.strictObject(
    Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, withoutDefault(member)])),
  );
}

function withoutDefault(member: z.ZodType): z.ZodType {
  const meta = member.meta() ?? {};
  if (!(member instanceof z.ZodDefault)) return member;
  const { defaultValue } = member.def;
  return (member.unwrap() as z.ZodType).optional().meta({ ...meta, default: defaultValue });
}
