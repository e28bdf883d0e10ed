import { flagValue, memberFlag, memberObjects, memberReference, memberText } from '../../kit/document/members.ts';
import { isSecretName } from '../../kit/masking/secret-names.ts';
import { worded } from '../../kit/worded.ts';
import {
  type AccountScope,
  AppError,
  documentPlace,
  type RuleDocument,
  type RuleRecord,
  type SecretBox,
  type Storage,
  StoredJson,
} from '../../ports/index.ts';
import type { HostnameRules } from '../hosts/decisions/hostname-rules.ts';
import { RevisionCache } from '../kernel/revision-cache.ts';
import type { SecretReferences } from '../kernel/secret-references.ts';
import { isUnconfirmedAccount, waitsMessage } from '../rules/trust/pending.ts';

const TYPE = 'accounts';
const SWITCH_MEMBERS = ['check_for_valid_hostname', 'require_fqdn'] as const;

/** A named import source, read from its document. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  /** True lets imports take hosts over from other accounts. */
  readonly isMaster: boolean;
  readonly isObject: boolean;
  readonly objectType: string;
  /** Name or id of the account that a child inherits from; empty for others. */
  readonly parent: string;
  readonly address: string;
  readonly username: string;
  /** Sealed under the instance key; empty when there is none. */
  readonly sealedPassword: string;
  /** Reference to the place where the password is kept instead; empty if it is sealed here, or there is none. */
  readonly passwordFrom: string;
  /** The document that the password is stored in: its own, or its parent's. */
  readonly passwordOf: string;
  /** The options of its type, as stored: `custom_fields`, a child's own before its parent's. Sealed values are marked. */
  readonly fields: ReadonlyMap<string, AccountField>;
  /** Rules for the hostnames that it accepts from any writer. */
  readonly hostnameRules: HostnameRules;
  /** The document that it is read from, and that of the parent which it inherits from. */
  readonly record: RuleRecord;
  readonly parentRecord: RuleRecord | undefined;
}

export interface AccountField {
  readonly value: string;
  /** A reference to a secret that is the value; empty if the value is stored here. */
  readonly from: string;
  /** True if the value is encrypted, for the given place. */
  readonly sealed: boolean;
  readonly place: string;
}

interface AccountIndex {
  readonly byName: ReadonlyMap<string, Account>;
  readonly byId: ReadonlyMap<string, Account>;
}

/** Accounts by name and id, read again when one changed. */
export class AccountDirectory {
  readonly #cache: RevisionCache<AccountIndex>;
  readonly #secrets: SecretBox;
  readonly #references: Pick<SecretReferences, 'read'>;

  constructor(deps: { storage: Storage; secrets: SecretBox; references: Pick<SecretReferences, 'read'> }) {
    this.#secrets = deps.secrets;
    this.#references = deps.references;
    this.#cache = new RevisionCache(deps.storage, ['rules/accounts'], async () =>
      indexAccounts(await deps.storage.rules.list('accounts')),
    );
  }

  async byName(name: string): Promise<Account | undefined> {
    return (await this.#cache.get()).byName.get(name);
  }

  /** An account that is not stored, read as its document would be: to try it. Its password is sealed here but not kept. */
  async draft(document: RuleDocument, origin: Pick<RuleRecord, 'id' | 'changedAt' | 'confirmedBy'>): Promise<Account> {
    const { password, ...rest } = document;
    const place = documentPlace(TYPE, origin.id, 'password_crypted');
    const sealed =
      typeof password === 'string' && password !== ''
        ? { password_crypted: await this.#secrets.seal(password, place) }
        : {};
    const stored = StoredJson.ofValue<RuleDocument>({ ...rest, ...sealed });
    const record = { ...origin, type: TYPE, name: memberText(document, 'name'), version: 1, document: stored };
    const { byName, byId } = await this.#cache.get();
    return readAccount(record, (reference) => (byName.get(reference) ?? byId.get(reference))?.record);
  }

  async byId(id: string): Promise<Account | undefined> {
    return (await this.#cache.get()).byId.get(id);
  }

  /** By name; those in scope only. */
  async list(scope: AccountScope): Promise<readonly Account[]> {
    const accounts = [...(await this.#cache.get()).byName.values()];
    return scope === null ? accounts : accounts.filter((account) => scope.includes(account.id));
  }

  /** Ids of accounts given by name or id; those that do not exist are left out. */
  async scopeOf(references: readonly string[]): Promise<readonly string[]> {
    const { byName, byId } = await this.#cache.get();
    return references.flatMap((reference) => (byName.get(reference) ?? byId.get(reference))?.id ?? []);
  }

  /** Returns names of accounts given by name or id; unknown references stay as they are. */
  async namesOf(references: readonly string[]): Promise<readonly string[]> {
    const { byName, byId } = await this.#cache.get();
    return references.map((reference) => (byName.get(reference) ?? byId.get(reference))?.name ?? reference);
  }

  /** The account of that name in the scope, else `not_found`. */
  async inScope(name: string, scope: AccountScope): Promise<Account> {
    const account = await this.byName(name);
    if (account === undefined || (scope !== null && !scope.includes(account.id))) {
      throw new AppError('not_found', worded`there is no account ${{ name }}; list the accounts to see which exist`);
    }
    return account;
  }

  /** The account that hosts may be written through: it exists, is enabled, and is not for inventorizing alone. */
  async writable(name: string, scope: AccountScope): Promise<Account> {
    const account = await this.byName(name);
    if (scope !== null && (account === undefined || !scope.includes(account.id))) {
      throw new AppError(
        'forbidden',
        worded`account ${{ name }} is outside of your accounts; write through one of your own`,
      );
    }
    if (account === undefined) {
      throw new AppError(
        'invalid_input',
        worded`account ${{ name }} does not exist; create it with "muster account add <name> --type api" or name another`,
      );
    }
    requireEnabled(account);
    requireAllowed(account, 'import');
    return account;
  }

  /** The decrypted password; empty when the account has none. */
  async password(account: Account): Promise<string> {
    const { name, sealedPassword, passwordOf, passwordFrom } = account;
    if (passwordFrom !== '') return this.referenced(account, passwordFrom);
    if (sealedPassword === '') return '';
    try {
      return await this.#secrets.open(sealedPassword, documentPlace(TYPE, passwordOf, 'password_crypted'));
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      const reason = `the password of account ${name} does not open: ${cause.message}`;
      throw new AppError(cause.code, `${reason} ("muster account set ${name} --ask-password")`, { cause });
    }
  }

  /** The fields that macros show of the account, apart from its secrets. */
  plainFields(account: Account): readonly (readonly [string, string])[] {
    const plain = [...account.fields].filter(([name, field]) => !isSecretField(name, field));
    return [
      ['name', account.name],
      ['address', account.address],
      ['username', account.username],
      ['password', ''],
      ...accountSwitches(account),
      ...plain.map(([name, field]) => [name, field.value] as const),
    ];
  }

  /** Names of the fields that hold secrets; an account without a password has none of that name. */
  secretFields(account: Account): readonly string[] {
    const names = [...account.fields].filter(([name, field]) => isSecretField(name, field)).map(([name]) => name);
    return hasPassword(account) ? [...names, 'password'] : names;
  }

  /** The secret fields that are stored here, in clear. */
  async secrets(account: Account): Promise<readonly (readonly [string, string])[]> {
    const opened: [string, string][] = [];
    for (const [name, field] of account.fields) {
      if (field.from === '' && isSecretField(name, field)) opened.push([name, await this.#clear(account, field)]);
    }
    if (account.sealedPassword !== '') opened.push(['password', await this.password(account)]);
    return opened;
  }

  /** Those of them that open. An unreadable secret needs no hiding. */
  async readableSecrets(account: Account): Promise<readonly string[]> {
    const sealed = [...account.fields].filter(([name, field]) => isSecretField(name, field));
    const opening = [...sealed.map(([, field]) => this.#clear(account, field)), this.password(account)];
    const opened = await Promise.allSettled(opening);
    return opened.flatMap((secret) => (secret.status === 'fulfilled' && secret.value !== '' ? [secret.value] : []));
  }

  /** Options in clear, sealed ones opened. Switches that a document has as members of its own count as options too. */
  async options(account: Account): Promise<Record<string, string>> {
    const options = accountSwitches(account);
    for (const [name, field] of account.fields) {
      options.push([name, await this.#clear(account, field)]);
    }
    return Object.fromEntries(options);
  }

  /**
   * Reads a secret that a document refers to, only if an administrator vouches for the whole document: any other author could
   * have any secret sent to an address of their own.
   */
  async referenced(account: Account, reference: string): Promise<string> {
    if (isUnconfirmedAccount(account)) {
      const { record, parentRecord } = account;
      throw new AppError('failed', waitsMessage(record.confirmedBy === null ? record : (parentRecord ?? record)));
    }
    return this.#references.read(reference);
  }

  async #clear(account: Account, { value, from, sealed, place }: AccountField): Promise<string> {
    if (from !== '') return this.referenced(account, from);
    return sealed ? this.#secrets.open(value, place) : value;
  }
}

/** Documents that were stored before such fields were sealed may hold secrets in clear. */
function isSecretField(name: string, { sealed, from }: AccountField): boolean {
  return sealed || from !== '' || isSecretName(name);
}

/** References to secrets that are kept elsewhere, by what they fill: `password`, or an option. */
export function referencesOf({ passwordFrom, fields }: Account): readonly (readonly [string, string])[] {
  const named = [...fields].flatMap(([name, { from }]): [string, string][] => (from === '' ? [] : [[name, from]]));
  return passwordFrom === '' ? named : [['password', passwordFrom], ...named];
}

export function hasPassword({ sealedPassword, passwordFrom }: Account): boolean {
  return sealedPassword !== '' || passwordFrom !== '';
}

/** The account as its own document says, without what it has from its parent. */
export function withoutParent({ record }: Account): Account {
  return readAccount(record, () => undefined);
}

/** The switches that are on, as options. */
export function accountSwitches({ record }: Account): [string, string][] {
  return SWITCH_MEMBERS.filter((name) => memberFlag(record.document.value, name)).map((name) => [name, 'true']);
}

function indexAccounts(records: readonly RuleRecord[]): AccountIndex {
  const byName = new Map<string, Account>();
  const byId = new Map<string, Account>();
  const parents = new Map<string, RuleRecord>();
  for (const record of records) {
    parents.set(record.name, record);
    parents.set(record.id, record);
  }
  for (const record of records) {
    const account = readAccount(record, (reference) => parents.get(reference));
    byName.set(account.name, account);
    byId.set(account.id, account);
  }
  return { byName, byId };
}

function readAccount(record: RuleRecord, find: (reference: string) => RuleRecord | undefined): Account {
  const document = record.document.value;
  const parentReference = memberFlag(document, 'is_child') ? memberReference(document, 'parent') : undefined;
  const parentRecord = parentReference === undefined ? undefined : find(parentReference);
  const parent = parentRecord?.document.value;
  const fields = new Map([...(parentRecord ? fieldsOf(parentRecord) : []), ...fieldsOf(record)]);
  // An option of that name wins over the member.
  const isOn = (name: keyof HostnameRules): boolean => {
    const option = fields.get(name)?.value ?? '';
    return option === '' ? memberFlag(document, name) : flagValue(option) === true;
  };
  const inherited = (name: string): string => memberText(document, name) || (parent ? memberText(parent, name) : '');
  return {
    id: record.id,
    name: record.name,
    type: memberText(document, 'type') || memberText(document, 'typ') || 'api',
    enabled: memberFlag(document, 'enabled'),
    isMaster: memberFlag(document, 'is_master'),
    isObject: memberFlag(document, 'is_object'),
    objectType: memberText(document, 'object_type') || (memberFlag(document, 'is_object') ? 'object' : 'host'),
    parent: parentReference ?? '',
    address: inherited('address'),
    username: inherited('username'),
    ...passwordOf(record, parentRecord),
    fields,
    hostnameRules: {
      check_for_valid_hostname: isOn('check_for_valid_hostname'),
      require_fqdn: isOn('require_fqdn'),
    },
    record,
    parentRecord,
  };
}

/** Its own, wherever it is kept, before that of its parent. */
function passwordOf(
  record: RuleRecord,
  parent: RuleRecord | undefined,
): Pick<Account, 'sealedPassword' | 'passwordFrom' | 'passwordOf'> {
  const document = record.document.value;
  const isOwn = memberText(document, 'password_crypted') !== '' || memberText(document, 'password_from') !== '';
  const holder = isOwn ? record : (parent ?? record);
  const passwordFrom = memberText(holder.document.value, 'password_from');
  return {
    passwordFrom,
    sealedPassword: passwordFrom === '' ? memberText(holder.document.value, 'password_crypted') : '',
    passwordOf: holder.id,
  };
}

function fieldsOf({ id, document }: RuleRecord): [string, AccountField][] {
  return memberObjects(document.value, 'custom_fields').flatMap((field): [string, AccountField][] => {
    const name = memberText(field, 'name');
    if (name === '') return [];
    const sealed = memberText(field, 'value_crypted');
    const place = documentPlace(TYPE, id, `custom_fields.${name}.value_crypted`);
    const from = memberText(field, 'value_from');
    const value = sealed === '' ? memberText(field, 'value') : sealed;
    return [
      [name, from === '' ? { value, from, sealed: sealed !== '', place } : { value: '', from, sealed: false, place }],
    ];
  });
}

/** Refuses an account that is switched off. */
export function requireEnabled({ name, enabled }: Pick<Account, 'name' | 'enabled'>): void {
  if (enabled) return;
  throw new AppError(
    'invalid_input',
    worded`account ${{ name }} is disabled; enable it with "muster account enable ${{ name }}"`,
  );
}

/** An account may be restricted to one of the two things that can be done with its data. */
export function requireAllowed({ name, record }: Account, wanted: 'import' | 'inventorize'): void {
  const only = memberText(record.document.value, 'restrict_to');
  if (only === '' || only === wanted) return;
  throw new AppError(
    'invalid_input',
    worded`account ${{ name }} is restricted to ${{ only }} by its restrict_to; ${{ wanted }} another one`,
  );
}
