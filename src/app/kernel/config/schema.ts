import { isIP } from 'node:net';
import * as z from 'zod';
import { flag, number, textList, whole } from '../../../kit/options/values.ts';
import { DEFAULT_MAX_HOST_BYTES, LOGGER_LEVELS } from '../../../ports/index.ts';
import { isUsablePrefix, withoutCredentials } from './path-prefix.ts';

const port = whole(0, 65_535);
const list = textList();
const days = whole(1);
const NO_PROXIES =
  'must be the number of your proxies (0 to 16), or their addresses and networks, such as 127.0.0.1,10.0.0.0/8';
/** How many hops before the service are ours, or the networks that they are in. */
const proxies = z.union(
  [whole(0, 16), list.pipe(z.array(z.string().refine(isNetwork, NO_PROXIES)).min(1))],
  NO_PROXIES,
);

function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32));
}

/** Empty where the key comes from a file. */
function isKeyOrEmpty(text: string): boolean {
  const key = text.trim();
  return key === '' || /^[0-9a-f]{64}$/i.test(key) || Buffer.from(key, 'base64').length === 32;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** How a backup may be encrypted. */
export const BACKUP_ENCRYPTIONS = ['none', 'instance-key', 'age'] as const;

/** Every configuration key, its default and what it is for. Nothing else in the program knows a default. */
export const configSchema = z.strictObject({
  DATABASE_URL: z
    .string()
    .regex(
      /^[a-z][a-z\d+.-]*:/,
      'must begin with what its store is called, such as sqlite:, postgresql:// or mongodb://',
    )
    .default('sqlite:data/muster.db')
    .describe('Storage of all data: sqlite:<path>, postgresql://…, mongodb://… or memory: (lost at exit)'),
  DATABASE_PASSWORD: z
    .string()
    .default('')
    .describe('Password for a postgresql:// database; it overrides the one in the address'),
  DATABASE_PASSWORD_FROM: z
    .string()
    .default('')
    .describe(
      'Names a secret that is this password, such as vault:secret/data/muster#password, instead of DATABASE_PASSWORD',
    ),
  DATABASE_REPLICA_URL: z
    .string()
    .default('')
    .describe(
      'Streaming replica of a postgresql:// database, as postgresql://…: the service reads the hosts of whole inventories there while it has all changes; DATABASE_PASSWORD is also for it',
    ),
  DATA_DIR: z.string().min(1).default('data').describe('Directory for files that the service creates, such as its key'),
  SHARED_DATA: flag()
    .default(false)
    .describe(
      'Says that DATA_DIR is a folder that all nodes of a PostgreSQL or MongoDB store have, so that files on one are on all',
    ),
  FILE_SOURCE_DIRS: list
    .default([])
    .describe(
      'Folders that accounts may import files from; default imports/ in DATA_DIR. Accounts that the operator wrote or confirmed may read other files too',
    ),
  FILE_TARGET_DIRS: list
    .default([])
    .describe(
      'Folders that accounts may export files to; default exports/ in DATA_DIR. Accounts that the operator wrote or confirmed may write elsewhere too',
    ),
  SECRET_DIRS: list
    .default([])
    .describe('Folders with files that may be named as secrets (file:…); default secrets/ in DATA_DIR'),
  SECRET_ENVIRONMENT: list
    .default(['MUSTER_SECRET_*'])
    .describe('Environment variables that may be named as secrets (env:…): names, or prefixes ending in *'),
  SECRET_CACHE_SECONDS: whole(0, 3600)
    .default(60)
    .describe('How long a secret from elsewhere is remembered in memory before it is read again'),
  HTTP_HOST: z.string().min(1).default('127.0.0.1').describe('Address the service listens on'),
  HTTP_PORT: port.default(8080).describe('Port the service listens on; 0 chooses a free one'),
  TLS_CERT: z.string().default('').describe('PEM file of the certificate; with TLS_KEY the service uses HTTPS'),
  TLS_KEY: z.string().default('').describe('PEM file of the private key'),
  TLS_CLIENT_CA: z
    .string()
    .default('')
    .describe('PEM file with the authorities of certificates of clients, such as a proxy by which people log in'),
  DRAIN_SECONDS: whole(0, 600)
    .default(0)
    .describe(
      'How long the service still answers after it was asked to stop, not ready any more, so that a proxy in front sends requests to another node first; 0 stops at once',
    ),
  BASE_URL: z
    .string()
    .refine(
      (address) => address === '' || (/^https?:\/\//i.test(address) && URL.canParse(address)),
      'must be a whole address, such as https://muster.example.org',
    )
    .refine(
      isUsablePrefix,
      'may end in a path such as /muster, of letters, digits and - . _ ~, that does not begin as a path of the service does, such as /admin or /api',
    )
    .overwrite(withoutCredentials)
    .default('')
    .describe(
      'Address that people and clients use, when the service is behind a proxy; with its path, where that is not the top of the host',
    ),
  INSTANCE_KEY: z
    .string()
    .refine(isKeyOrEmpty, 'must be 32 bytes as hex or base64')
    .default('')
    .describe('Key that secrets are encrypted with: 32 bytes as hex or base64'),
  INSTANCE_KEY_FILE: z
    .string()
    .default('')
    .describe('File with the instance key; default instance.key in DATA_DIR, created when absent'),
  TIMEZONE: z
    .string()
    .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
    .default('UTC')
    .describe('Time zone of cron windows'),
  REST_LOCAL_TIMES: flag()
    .default(false)
    .describe(
      'Over REST, times of the log and of cron status are those of TIMEZONE instead of UTC, as monitoring of the existing Python product expects',
    ),
  PLUGINS: list.default([]).describe('Third-party plugins: package names or paths'),
  PLUGIN_OPTIONS: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Settings of plugins, by plugin id (in a file only)'),
  PLUGIN_TIMEOUT_SECONDS: number()
    .pipe(z.number().positive())
    .default(30)
    .describe('How long a plugin may take to load, or to answer once, before it is reported and left out'),
  CRON_PASS_SECONDS: whole(1).default(60).describe('Seconds between two cron passes'),
  TAKES: list
    .default([])
    .describe(
      'Values of the account option runs_at whose cron jobs this node runs; default stands for accounts without one. Absent: all accounts',
    ),
  LOG_LEVEL: z.enum(LOGGER_LEVELS).default('info').describe('Level of messages that the service logs'),
  ADMIN_ENABLED: flag().default(true).describe('Serves the admin interface at /admin'),
  FIRST_USER_LINK: z
    .enum(['terminal', 'log', 'off'])
    .default('terminal')
    .describe(
      'Output of the link for creating the first user in a browser: on the terminal of the service, in its log too, or nowhere',
    ),
  REMOTE_COMMANDS: flag()
    .default(true)
    .describe('Lets commands on other machines call the service (`muster --url`), with credentials of a user'),
  SESSION_HOURS: whole(1, 720).default(12).describe('How long a session of the admin interface lasts without use'),
  SESSION_DAYS: whole(1, 90).default(7).describe('How long a session of the admin interface lasts at most'),
  CMDB_MODE: flag()
    .default(false)
    .describe(
      'Offers relations between hosts, and leaves hosts out of inventories whose `lifecycle_state` is not active',
    ),
  INVENTORY_MERGE_ATTRIBUTES: list
    .default([])
    .describe('Attributes that collect the values of all host templates of a host, separated by commas'),
  ALLOW_INSECURE_API_AUTH: flag().default(false).describe('Accepts credentials over plain HTTP from other machines'),
  ALLOWED_HOSTS: list
    .default([])
    .describe(
      'Names by which browsers may address the service over plain HTTP, in addition to localhost and the name in BASE_URL',
    ),
  TRUSTED_PROXIES: proxies
    .default(0)
    .describe('Trusted reverse proxies in front of the service: how many, or their addresses and networks'),
  MAX_BODY_BYTES: whole(1024)
    .default(32 * 1024 * 1024)
    .describe('Largest request body in bytes'),
  UPLOADED_FILES_MAX_BYTES: whole(1024)
    .default(500 * 1024 * 1024)
    .describe(
      'How much the files may take together that were uploaded on pages for accounts, in bytes; more is refused',
    ),
  RATE_LIMIT_401_PER_MINUTE: whole(0)
    .default(30)
    .describe('Refused credentials per minute and client address before 429; 0 switches the limit off'),
  CREDENTIAL_CACHE_SECONDS: whole(0)
    .default(60)
    .describe('How long verified credentials are remembered; a changed user is forgotten at once'),
  PASSWORD_MIN_LENGTH: whole(1).default(10).describe('Shortest password a user may get'),
  REQUIRE_SECOND_FACTOR: z
    .enum(['nobody', 'administrators', 'everybody'])
    .default('nobody')
    .describe('Which users of this service log in with a second factor; users without one set it up at the next login'),
  ALLOW_API_PASSWORD_ALONE: flag()
    .default(false)
    .describe(
      'Accepts, over REST, remote commands and the tool server, the password alone of users who have a second factor or need one; otherwise they use tokens there',
    ),
  TOKEN_DEFAULT_DAYS: whole(1, 3650)
    .default(365)
    .describe(
      'Days after which a new API token expires unless it says otherwise; --expires-days 0 creates one that never expires',
    ),
  HISTORY_DAYS: days.default(180).describe('How long the history of hosts is kept'),
  RULE_HISTORY_DAYS: days.default(365).describe('How long earlier versions of rules are kept'),
  LOG_DAYS: days
    .default(90)
    .describe('How long log entries are kept, and notifications that were delivered or given up'),
  AUDIT_DAYS: days.default(365).describe('How long the audit log is kept'),
  AUDIT_FORWARD: list
    .refine(
      (places) => places.every((place) => /^(file:.|(https?|syslog(\+(udp|tcp|tls))?):\/\/[^/])/.test(place)),
      'must name places as file:<path>, syslog://host:port, syslog+tcp://, syslog+tls:// or https://',
    )
    .default([])
    .describe(
      'Additional destination of the audit log: file:<path>, syslog://host:port (UDP), syslog+tcp://, syslog+tls://, https://…',
    ),
  AUDIT_FORWARD_TOKEN: z.string().default('').describe('Bearer token for the https addresses of AUDIT_FORWARD'),
  PLAYBOOK_RUN_DAYS: days.default(90).describe('How long playbook runs are kept'),
  PLAN_DAYS: days.default(90).describe('How long plans of exports are kept'),
  ARCHIVE_DAYS: whole(0)
    .default(0)
    .describe('Maintenance permanently deletes hosts archived for longer than this; 0 keeps them'),
  STALE_DAYS: whole(0).default(0).describe('Maintenance archives hosts not seen for this long as stale; 0 never does'),
  BACKUP_DIR: z
    .string()
    .default('')
    .describe('Folder of the backups of the job Backup; default backups/ in DATA_DIR, better another disk'),
  BACKUP_KEEP: whole(1, 10_000).default(14).describe('How many backups the job Backup keeps'),
  BACKUP_ENCRYPTION: z
    .enum(BACKUP_ENCRYPTIONS)
    .default('none')
    .describe(
      'Whether the job Backup encrypts what it writes: under the instance key, or with age for BACKUP_RECIPIENTS; with the key lost, such a backup is lost too',
    ),
  BACKUP_RECIPIENTS: textList()
    .pipe(
      z.array(z.string().regex(/^age1[a-z\d]+$/, 'must be recipients of age, as "age-keygen -y" prints them: age1…')),
    )
    .default([])
    .describe('Recipients of age that the job Backup encrypts for, where BACKUP_ENCRYPTION is age'),
  WORKER_THREADS: whole(1, 16).default(2).describe('Threads for heavy work: imports, renderings, large bodies'),
  PREVIEW_TIMEOUT_SECONDS: number()
    .pipe(z.number().min(1).max(86_400))
    .default(120)
    .describe(
      'How long a preview may take (explanations, rule tests, dry runs of imports and exports, account tests) before it is stopped',
    ),
  STALLED_READER_SECONDS: number()
    .pipe(z.number().min(1).max(3_600))
    .default(30)
    .describe('How long a client may read nothing of its answer before the connection is closed'),
  MAX_HOST_BYTES: whole(64 * 1024, 128 * 1024 * 1024)
    .default(DEFAULT_MAX_HOST_BYTES)
    .describe('Largest host with all of its labels and inventory, in bytes; existing larger hosts stay and may shrink'),
  WORTHLESS_VALUES: list
    .refine((patterns) => patterns.every((pattern) => /[\p{L}\p{N}]/u.test(pattern) && !/[\\^$[\]|]/.test(pattern)), {
      error: 'must be texts with * for any signs, such as LAB-* or 00:50:b6:*, each with a letter or digit',
    })
    .default([])
    .describe(
      'Values of keys that do not identify a machine, in addition to the known ones: texts with * for any characters, compared without case, blanks and punctuation (LAB-*, 00:50:b6:*)',
    ),
  INVENTORY_TEMPLATE_TEXT: z
    .enum(['break', 'wrap', 'serve'])
    .default('break')
    .describe('Treatment of template text in served values: broken by a space, wrapped as unsafe, or served as is'),
  INVENTORY_VARIABLE_NAMES: z
    .enum(['keep', 'identifier'])
    .default('keep')
    .describe('Names of variables and groups: kept as they are, or turned into identifiers'),
  INVENTORY_ANSIBLE_LABELS: z
    .enum(['safe', 'drop', 'serve'])
    .default('safe')
    .describe(
      'Which ansible_… variables from data are served: only where a host is (ansible_host, ansible_port, ansible_user, ansible_network_os), none, or all, which lets data run programs on controllers. Rules of administrators may set any; playbook runs use drop',
    ),
  INVENTORY_TEXT_BOOLEANS: flag()
    .default(true)
    .describe(
      'Serves the texts true and false, in any case and at any depth, as booleans; false serves labels as they are stored',
    ),
  PLAYBOOK_DIR: z
    .string()
    .default('')
    .describe(
      'Folder of playbooks with their manifest playbooks.yml; default the folder ansible/ of this installation',
    ),
  ANSIBLE_PLAYBOOK: z
    .string()
    .min(1)
    .default('ansible-playbook')
    .describe('The program that runs playbooks: a path, or a name on PATH'),
  PLAYBOOK_ENVIRONMENT: list
    .default([])
    .describe(
      'Environment variables that playbooks get, in addition to the standard ones and those of Ansible: names, or prefixes ending in *',
    ),
  PLAYBOOK_PARALLEL: whole(1, 64).default(4).describe('How many playbooks one pass runs at once'),
  PLAYBOOK_TIMEOUT_MINUTES: whole(1, 20_160).default(60).describe('How long a playbook may take before it is stopped'),
  PLAYBOOK_FIRE_LIMIT: whole(1, 10_000)
    .default(100)
    .describe('How many hosts and playbooks one pass fires at most; the next pass continues'),
  MCP_TRANSPORT: z.enum(['stdio', 'sse', 'http']).default('stdio').describe('Transport of the tool server'),
  MCP_HOST: z.string().min(1).default('127.0.0.1').describe('Address the tool server listens on'),
  MCP_PORT: port.default(8765).describe('Port of the tool server'),
  MCP_ALLOWED_HOSTS: list.default([]).describe('Host names by which clients may address the tool server'),
  MCPSERVER_ENABLED: flag().default(false).describe('Offers the tool server as part of the service'),
  MCPSERVER_PORT: port.default(8765).describe('Port of the tool server in the service'),
});

export type Config = Readonly<z.output<typeof configSchema>>;
export type ConfigKey = keyof Config;

/** The source of each value: `default`, a file's path, a variable's name or a flag. */
export type ConfigOrigins = Readonly<Record<ConfigKey, string>>;

/** By key, the feature that reads it: a configuration that sets one of a feature that is not there is refused. */
export const KEYS_OF_FEATURES: Readonly<Partial<Record<ConfigKey, string>>> = {
  REQUIRE_SECOND_FACTOR: 'logins',
  PLAN_DAYS: 'exports',
  ANSIBLE_PLAYBOOK: 'playbooks',
  PLAYBOOK_DIR: 'playbooks',
  PLAYBOOK_ENVIRONMENT: 'playbooks',
  PLAYBOOK_PARALLEL: 'playbooks',
  PLAYBOOK_TIMEOUT_MINUTES: 'playbooks',
  PLAYBOOK_FIRE_LIMIT: 'playbooks',
  PLAYBOOK_RUN_DAYS: 'playbooks',
  BACKUP_DIR: 'backups',
  BACKUP_KEEP: 'backups',
  BACKUP_ENCRYPTION: 'backups',
  BACKUP_RECIPIENTS: 'backups',
};

/** Keys whose values are never shown. */
export const SECRET_KEYS: ReadonlySet<string> = new Set<ConfigKey>([
  'INSTANCE_KEY',
  'DATABASE_PASSWORD',
  'AUDIT_FORWARD_TOKEN',
]);
