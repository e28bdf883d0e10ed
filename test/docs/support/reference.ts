import type { Argument, Command, Option } from 'commander';
import * as z from 'zod';
import { CommandContext } from '../../../src/adapters/cli/context.ts';
import { buildProgram, loadGroup } from '../../../src/adapters/cli/program.ts';
import { operationRoutes } from '../../../src/adapters/http/route.ts';
import { RESOURCE_TEMPLATES, RESOURCES } from '../../../src/adapters/mcp/resources.ts';
import { toolList } from '../../../src/adapters/mcp/tool-list.ts';
import { TOOLS } from '../../../src/adapters/mcp/tools/all.ts';
import { OPERATIONS } from '../../../src/app/catalogue/operations.ts';
import { configSchema } from '../../../src/app/kernel/config/schema.ts';
import { jobOf, type KnownJob, missingJob } from '../../../src/app/kernel/jobs/job-of.ts';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { ALL_TESTS, FILTERS } from '../../../src/jinja/filters.ts';
import { FUNCTIONS } from '../../../src/jinja/functions.ts';
import { STRING_METHODS } from '../../../src/jinja/string-methods.ts';
import { exportOptions } from '../../../src/kit/account-options/export-options.ts';
import { importOptions } from '../../../src/kit/account-options/import-options.ts';
import { objectExportOptions } from '../../../src/kit/account-options/object-export-options.ts';
import { connectionOptions } from '../../../src/kit/connection/options.ts';
import { httpAccountOptions } from '../../../src/kit/http-account/options.ts';
import { ansibleOptions } from '../../../src/plugins/ansible/options.ts';
import { csvOptions } from '../../../src/plugins/csv/options.ts';
import { filesOptions } from '../../../src/plugins/files/options.ts';
import { BUILTIN_PLUGINS } from '../../../src/plugins/index.ts';
import { jsonOptions } from '../../../src/plugins/json/options.ts';
import { jsonFileOptions } from '../../../src/plugins/json-file/options.ts';
import { ldapOptions } from '../../../src/plugins/ldap/options.ts';
import { musterOptions } from '../../../src/plugins/muster/options.ts';
import { netboxOptions } from '../../../src/plugins/netbox/options.ts';
import { targetAccountOptions } from '../../../src/plugins/rest/export/options.ts';
import { accountOptions } from '../../../src/plugins/rest/options.ts';
import { sqlOptions } from '../../../src/plugins/sql/options.ts';
import { yamlOptions } from '../../../src/plugins/yaml/options.ts';
import type { JobName, JsonObject, JsonValue, PluginHost, RuleType } from '../../../src/ports/index.ts';
import { fakeTerminal } from '../../adapters/cli/fake-terminal.ts';
import { registerBuiltins } from '../../support/builtin-registry.ts';
import { conformanceTables } from './conformance.ts';

/** The parts of the pages that the program itself knows, as Markdown. */
export const REFERENCES: Readonly<Record<string, () => string | Promise<string>>> = {
  configuration: configurationTables,
  commands: commandReference,
  conformance: conformanceTables,
  endpoints: endpointTable,
  'rule types': ruleTypeReference,
  'kept types': keptTypeTable,
  'import options': () => optionTable(importOptions()),
  'csv options': () => optionTable(csvOptions()),
  'json options': () => optionTable(jsonOptions()),
  'yaml options': () => optionTable(without(yamlOptions(), httpAccountOptions)),
  'sql options': () => optionTable(without(sqlOptions(), connectionOptions())),
  'ldap options': () => optionTable(without(ldapOptions(), connectionOptions())),
  'ansible options': () => optionTable(ansibleOptions()),
  'muster options': () => optionTable(without(musterOptions(), httpAccountOptions)),
  'netbox options': () => optionTable(without(netboxOptions(), httpAccountOptions)),
  'connection options': () => optionTable(z.strictObject(connectionOptions())),
  'rest options': () => optionTable(accountOptions()),
  'rest_target options': () => optionTable(without(targetAccountOptions(), httpAccountOptions)),
  'export options': () => optionTable(exportOptions()),
  'object export options': () => optionTable(objectExportOptions()),
  'json_file options': () => optionTable(jsonFileOptions()),
  'files options': () => optionTable(filesOptions()),
  'http account options': () => optionTable(z.strictObject(httpAccountOptions)),
  'template names': templateNames,
  'job names': jobNameTable,
  tools: toolTable,
  'tool resources': toolResourceTable,
};

/** Where the keys stand on the page; a key that no group names is found out. */
const CONFIG_GROUPS: Readonly<Record<string, RegExp>> = {
  'Storage and secrets': /^(DATABASE_.*|DATA_DIR|SHARED_DATA|INSTANCE_KEY.*|SECRET_.*)$/,
  'Files of sources and targets': /^FILE_/,
  'HTTP service':
    /^(HTTP_.*|TLS_.*|DRAIN_SECONDS|BASE_URL|ALLOWED_HOSTS|TRUSTED_PROXIES|MAX_BODY_BYTES|UPLOADED_FILES_MAX_BYTES|WORKER_THREADS|CMDB_MODE)$/,
  Limits: /^(PREVIEW_TIMEOUT_SECONDS|STALLED_READER_SECONDS|MAX_HOST_BYTES)$/,
  'Values of keys': /^WORTHLESS_VALUES$/,
  'Admin interface': /^(ADMIN_ENABLED|FIRST_USER_LINK|SESSION_.*)$/,
  Access: /^(ALLOW_.*|REMOTE_COMMANDS|REQUIRE_.*|RATE_LIMIT.*|CREDENTIAL.*|PASSWORD.*|TOKEN_.*)$/,
  Inventory: /^INVENTORY_/,
  Retention: /_DAYS$/,
  Backups: /^BACKUP_/,
  'Audit log forwarding': /^AUDIT_FORWARD/,
  Playbooks: /^(PLAYBOOK_.*|ANSIBLE_PLAYBOOK)$/,
  Plugins: /^PLUGIN/,
  'Schedule and log': /^(TIMEZONE|REST_LOCAL_TIMES|CRON_.*|TAKES|LOG_LEVEL)$/,
  'Tool server': /^MCP/,
};

function configurationTables(): string {
  const groups = new Map(Object.keys(CONFIG_GROUPS).map((title) => [title, [] as string[]]));
  for (const [key, schema] of Object.entries(configSchema.shape)) {
    const title = Object.entries(CONFIG_GROUPS).find(([, keys]) => keys.test(key))?.[0];
    const group = title === undefined ? undefined : groups.get(title);
    if (group === undefined) throw new Error(`${key} belongs to no group of the page; add it to CONFIG_GROUPS`);
    group.push(row([`\`${key}\``, defaultText(schema), describe(schema)]));
  }
  return [...groups]
    .map(([title, rows]) => `### ${title}\n\n| Key | Default | What for |\n|---|---|---|\n${rows.join('\n')}`)
    .join('\n\n');
}

function optionTable(schema: z.ZodObject): string {
  const rows = Object.entries(schema.shape).map(([name, member]) =>
    row([`\`${name}\``, defaultText(member), describe(member)]),
  );
  return `| Option | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}`;
}

/** A type without the options that stand in a table of their own. */
function without(options: z.ZodObject, others: object): z.ZodObject {
  return z.strictObject(Object.fromEntries(Object.entries(options.shape).filter(([name]) => !(name in others))));
}

/** The jobs of existing installations by name, with the plugins that the program brings. */
function jobNameTable(): string {
  const plugins = registerBuiltins(new PluginRegistry());
  const names = plugins.jobNames().toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const rows = names.map((known) => {
    const job = missingJob(plugins, known.name) === undefined ? jobOf(plugins, known.name) : undefined;
    return row([code(known.name), jobText(known, job), known.logsAs.map(code).join(', ')]);
  });
  return `| Name | Here | Log |\n|---|---|---|\n${rows.join('\n')}`;
}

function jobText({ job: id, system, nothing }: JobName, job: KnownJob | undefined): string {
  if (nothing !== undefined) return `succeeds: ${nothing}`;
  if (system === undefined) return code(id ?? '');
  const { title, accountType } = system;
  // A job that a plugin registers under the name; of the others the name says the type.
  if (job !== undefined && job.accountType === undefined)
    return `${job.description.replace(/\.$/, '')}; accounts of type \`${accountType}\``;
  if (job !== undefined) return `\`${id}\` with accounts of type \`${accountType}\``;
  const what = id === undefined ? 'a job of this name' : `a connector (\`${id}\`)`;
  return `waits for ${what} for ${title} (\`${accountType}\`)`;
}

function defaultText(schema: z.core.$ZodType): string {
  const given = z.safeParse(schema, undefined);
  if (!given.success) return '(required)';
  // Options that a preset may say are nothing by themselves, and declare the default that stands behind both.
  const value = given.data ?? z.globalRegistry.get(schema)?.default;
  if (value === undefined || value === '') return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : code(value.join(','));
  if (typeof value !== 'object' || value === null) return code(String(value));
  if (Object.keys(value).length === 0) return '';
  // What is made from text is shown as that text.
  const { default: text } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return code(String(text));
}

function describe(schema: z.core.$ZodType): string {
  const choices = choicesOf(schema);
  const { description = '', when = {} } = z.globalRegistry.get(schema) ?? {};
  const text = `${description}${conditionsText(description, when as Readonly<Record<string, readonly string[]>>)}`;
  return choices === undefined ? plain(text) : `${plain(text)} (${choices.map(code).join(', ')})`;
}

/** With which values of others an option has an effect; nothing where its description begins with one of them. */
function conditionsText(description: string, when: Readonly<Record<string, readonly string[]>>): string {
  const begin = description.split(': ')[0]?.split(/[ ,]+/) ?? [];
  return Object.entries(when)
    .filter(([, values]) => !values.some((value) => begin.includes(value)))
    .map(([name, values]) => `; with ${name} ${values.join(', ')}`)
    .join('');
}

function choicesOf(schema: z.core.$ZodType): readonly string[] | undefined {
  const { def } = schema._zod as { def: { innerType?: z.core.$ZodType; entries?: Record<string, string> } };
  return def.entries !== undefined ? Object.values(def.entries) : def.innerType && choicesOf(def.innerType);
}

async function commandReference(): Promise<string> {
  const context = new CommandContext(fakeTerminal().terminal, '0.0.0', () =>
    Promise.reject(new Error('nothing is opened')),
  );
  const program = buildProgram(context);
  const { commands } = program;
  for (const command of commands) await loadGroup(command, context);
  const options = `### Options of every command\n\n${optionList(program.options)}`;
  return [options, ...commands.flatMap((command) => describeCommand(command, 'muster'))].join('\n\n');
}

function describeCommand(command: Command, parent: string): string[] {
  const path = `${parent} ${command.name()}`;
  if (command.commands.length > 0) return command.commands.flatMap((child) => describeCommand(child, path));
  const lines = [...command.registeredArguments.map(argumentLine)];
  const options = optionList(command.options);
  return [
    [
      `### ${path}`,
      code([path, ...command.registeredArguments.map(placeholder), ...requiredFlags(command)].join(' ')),
      plain(command.description()),
      [...lines, ...(options === '' ? [] : [options])].join('\n'),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  ];
}

function requiredFlags(command: Command): string[] {
  return command.options.filter((option) => option.mandatory).map((option) => option.flags);
}

function placeholder(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function argumentLine(argument: Argument): string {
  return `- \`${placeholder(argument)}\`: ${plain(argument.description)}`;
}

function optionList(options: readonly Option[]): string {
  return options
    .filter((option) => !option.hidden)
    .map((option) => {
      const value = option.defaultValue;
      const fallback = value === undefined || typeof value === 'boolean' ? '' : ` (default ${String(value)})`;
      const choices = option.argChoices === undefined ? '' : ` (${option.argChoices.join(', ')})`;
      return `- \`${option.flags}\`: ${plain(option.description)}${choices}${fallback}`;
    })
    .join('\n');
}

function endpointTable(): string {
  const rows = operationRoutes(OPERATIONS, { CMDB_MODE: true })
    .filter((route) => !route.isAlias)
    .map((route) => {
      const path = route.path.replace(/:(\w+)/g, '<$1>');
      const query = Object.keys(route.query).map(code).join(', ');
      return row([`\`${route.method} ${path}\``, rolesText(route.operation.roles), query, route.operation.title]);
    });
  return `| Path | Role | Query | What it does |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function rolesText(roles: readonly string[] | 'decided-by-operation'): string {
  return roles === 'decided-by-operation' ? 'see its section' : roles.map(code).join(' or ');
}

function toolTable(): string {
  const rows = toolList(TOOLS).map(({ name, inputSchema, annotations, description }) => {
    const required = new Set(inputSchema.required ?? []);
    const given = Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) => {
      const value = 'default' in schema ? `=${JSON.stringify(schema.default)}` : '';
      return required.has(argument) ? code(argument) : `[${code(argument + value)}]`;
    });
    const effect = annotations?.readOnlyHint ? 'reads' : annotations?.destructiveHint ? 'destructive' : 'writes';
    return row([code(name), given.join(', '), effect, description ?? '']);
  });
  return `| Tool | Arguments | Effect | What it does |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function toolResourceTable(): string {
  const rows = [
    ...RESOURCES.map(({ uri, description }) => row([code(uri), description ?? ''])),
    ...RESOURCE_TEMPLATES.map(({ uriTemplate, description }) => row([code(uriTemplate), description ?? ''])),
  ];
  return `| Address | What it holds |\n|---|---|\n${rows.join('\n')}`;
}

function builtinRuleTypes(): readonly RuleType[] {
  const types: RuleType[] = [];
  const nothing = (): void => undefined;
  const host = {
    logger: undefined as never,
    ruleType: (type: RuleType) => types.push(type),
    source: nothing,
    target: nothing,
    job: nothing,
    jobName: nothing,
    recordProcessor: nothing,
    action: nothing,
    page: nothing,
    templateFilter: nothing,
    secretSource: nothing,
    notificationChannel: nothing,
    signInMethod: nothing,
    conditionOperator: nothing,
    store: nothing,
    inventoryProvider: nothing,
    inventoryProviderFamily: nothing,
  } satisfies Record<keyof PluginHost, unknown> as unknown as PluginHost;
  for (const plugin of BUILTIN_PLUGINS) plugin.register(host, plugin.options?.parse({}) as never);
  return types.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function keptTypeTable(): string {
  const rows = builtinRuleTypes().flatMap(({ id, title, kept }) =>
    kept === undefined ? [] : [row([code(id), title, kept.system, `they ${kept.reason}`])],
  );
  return ['| Type | Documents | For | Why they have no effect |', '|---|---|---|---|', ...rows].join('\n');
}

function ruleTypeReference(): string {
  return builtinRuleTypes()
    .filter(({ kept }) => kept === undefined)
    .map((type) => {
      const aliases = type.aliases.length === 0 ? '' : ` Also accepted as ${type.aliases.map(code).join(', ')}.`;
      const rows = memberRows((type.schema.properties ?? {}) as JsonObject, '');
      const table = `| Member | Values | Meaning |\n|---|---|---|\n${rows.join('\n')}`;
      return `### ${type.id}\n\n${type.description}${aliases}${rows.length === 0 ? '' : `\n\n${table}`}`;
    })
    .join('\n\n');
}

/** Members of a JSON Schema, those of lists and objects with their path. */
function memberRows(properties: JsonObject, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    const schema = value as JsonObject;
    const path = `${prefix}${name}`;
    const items = objectOf(schema.items);
    const isList = [schema.type].flat().includes('array');
    const own = row([`\`${path}${isList ? '[]' : ''}\``, choiceText(schema), String(schema.description ?? '')]);
    const inner = objectOf(isList ? items?.properties : schema.properties);
    return inner === undefined || '$oid' in inner
      ? [own]
      : [own, ...memberRows(inner, `${path}${isList ? '[].' : '.'}`)];
  });
}

function choiceText(schema: JsonObject): string {
  if (Array.isArray(schema.enum))
    return schema.enum.map((choice) => (choice === '' ? 'empty' : code(String(choice)))).join(', ');
  const { minimum, maximum } = schema;
  if (minimum === undefined && maximum === undefined) return '';
  return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

function templateNames(): string {
  const names = (table: ReadonlyMap<string, unknown>): string => [...table.keys()].sort().map(code).join(', ');
  return [
    `**Functions:** ${names(FUNCTIONS)}, \`datetime\` (\`now\`, \`utcnow\`)`,
    `**Filters:** ${names(FILTERS)}`,
    `**Tests:** ${names(ALL_TESTS)}`,
    `**Methods of texts:** ${names(STRING_METHODS)}`,
  ].join('\n\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Angle brackets outside of code would be taken for HTML. */
function plain(text: string): string {
  return text.replace(/`[^`]*`|</g, (found) => (found.length > 1 ? found : `\\${found}`));
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}
