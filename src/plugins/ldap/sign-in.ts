import { randomUUID } from 'node:crypto';
import { SearchEntry } from 'ldapts';
import {
  AppError,
  type ExternalPerson,
  type SignInContext,
  type SignInServices,
  type SourceAccount,
} from '../../ports/index.ts';
import { LdapConnection } from './connection.ts';
import { attributesOf } from './map.ts';
import { filterValue } from './names.ts';
import { ldapSettings } from './settings.ts';
import type { LdapSignInOptions } from './sign-in-options.ts';

/** Groups within groups are followed so far. */
const MOST_LEVELS = 20;
const MOST_GROUPS = 2000;
/** Active Directory: the groups above, however many are in between. */
const IN_CHAIN = '1.2.840.113556.1.4.1941';
const DISABLED = 0x2;

export interface LdapSignIn {
  readonly options: LdapSignInOptions;
  readonly account: SourceAccount;
  readonly services: Pick<SignInServices, 'files' | 'logger'>;
}

interface Entry {
  readonly dn: string;
  value(attribute: string): Buffer | undefined;
}

/**
 * Returns the person with that name and password. The directory account finds the person, and the person's own login is tried
 * last.
 */
export async function verifyPerson(
  method: LdapSignIn,
  { name, password }: { readonly name: string; readonly password: string },
  { signal }: SignInContext,
): Promise<ExternalPerson | undefined> {
  if (name === '' || password === '') return undefined;
  return connected(method, signal, async (connection) => {
    const { nameAttribute } = termsOf(method.options);
    const entry = await oneEntry(connection, method.options, `(${nameAttribute}=${filterValue(name)})`);
    if (entry === undefined || isOut(entry)) {
      await askAsIfThere(connection, method.options);
      return undefined;
    }
    const person = await personOf(connection, method.options, entry);
    return (await connection.takes(entry.dn, password)) ? person : undefined;
  });
}

/**
 * Sends as many requests as for an existing person with a wrong password, so that the response time does not reveal who exists.
 */
async function askAsIfThere(connection: LdapConnection, options: LdapSignInOptions): Promise<void> {
  const dn = `cn=${randomUUID()},${options.base_dn}`;
  await groupsOf(connection, options, { dn, name: randomUUID() });
  // A directory may say of such an entry that there is none.
  await connection.takes(dn, randomUUID()).catch(() => false);
}

/** The person of that id, who may have another name by now. */
export async function findPerson(
  method: LdapSignIn,
  subject: string,
  { signal }: SignInContext,
): Promise<ExternalPerson | undefined> {
  return connected(method, signal, async (connection) => {
    const { idAttribute, isBinary } = termsOf(method.options);
    const value = isBinary ? subject.replace(/../g, '\\$&') : filterValue(subject);
    const entry = await oneEntry(connection, method.options, `(${idAttribute}=${value})`);
    return entry === undefined || isOut(entry) ? undefined : personOf(connection, method.options, entry);
  });
}

/** Connects, looks for one person, and says as whom. */
export async function checkSignIn(method: LdapSignIn, { signal }: SignInContext): Promise<string> {
  return connected(method, signal, async (connection, server) => {
    const { options } = method;
    const found = await entriesOf(
      connection,
      { base: options.base_dn, filter: termsOf(options).userFilter, options },
      1,
    );
    if (found.length === 0) {
      throw new AppError('failed', `${server} shows no person in ${options.base_dn}; correct base_dn or user_filter`);
    }
    const who = (await connection.whoAmI()).replace(/^dn:/i, '');
    return `${server}${who === '' ? '' : ` as ${who}`} shows people in ${options.base_dn}`;
  });
}

async function connected<T>(
  { options, account, services }: LdapSignIn,
  signal: AbortSignal,
  work: (connection: LdapConnection, server: string) => Promise<T>,
): Promise<T> {
  const settings = await ldapSettings(options, account, { files: services.files, signal });
  const connection = await LdapConnection.open(settings, services.logger, signal);
  try {
    return await work(connection, settings.server);
  } finally {
    connection.close();
  }
}

/** How people are found in such a directory. */
function termsOf(options: LdapSignInOptions) {
  const isActiveDirectory = options.directory === 'active_directory';
  const idAttribute = options.id_attribute ?? (isActiveDirectory ? 'objectGUID' : 'entryUUID');
  return {
    isActiveDirectory,
    idAttribute,
    isBinary: /^object(guid|sid)$/i.test(idAttribute),
    nameAttribute: options.name_attribute ?? (isActiveDirectory ? 'sAMAccountName' : 'uid'),
    userFilter:
      options.user_filter ??
      (isActiveDirectory ? '(&(objectCategory=person)(objectClass=user))' : '(objectClass=person)'),
  };
}

/** The one person to whom it applies. Of several none is meant. */
async function oneEntry(
  connection: LdapConnection,
  options: LdapSignInOptions,
  condition: string,
): Promise<Entry | undefined> {
  const filter = `(&${termsOf(options).userFilter}${condition})`;
  const found = await entriesOf(connection, { base: options.base_dn, filter, options }, 2);
  if (found.length > 1) {
    throw new AppError('failed', 'several people have that name in the directory; narrow base_dn or user_filter');
  }
  return found[0];
}

async function personOf(connection: LdapConnection, options: LdapSignInOptions, entry: Entry): Promise<ExternalPerson> {
  const { idAttribute, isBinary, nameAttribute } = termsOf(options);
  const [id, name] = [entry.value(idAttribute), entry.value(nameAttribute)];
  if (id === undefined || id.length === 0) {
    throw new AppError('failed', `the entry of the person has no ${idAttribute}, or it is not shown; set id_attribute`);
  }
  return {
    subject: isBinary ? id.toString('hex') : id.toString('utf8'),
    name: name?.toString('utf8') ?? '',
    email: entry.value(options.email_attribute)?.toString('utf8') ?? '',
    groups: await groupsOf(connection, options, { dn: entry.dn, name: name?.toString('utf8') ?? '' }),
  };
}

/** The names of the groups of a person, and of those that these are in. */
async function groupsOf(
  connection: LdapConnection,
  options: LdapSignInOptions,
  person: { readonly dn: string; readonly name: string },
): Promise<readonly string[]> {
  const base = options.group_base_dn ?? options.base_dn;
  const dnsOf = async (condition: string): Promise<readonly string[]> => {
    const filter = `(&${options.group_filter}${condition})`;
    return (await entriesOf(connection, { base, filter, options }, MOST_GROUPS)).map(({ dn }) => dn);
  };
  const value = filterValue(person.dn);
  if (termsOf(options).isActiveDirectory) {
    return dnsOf(options.nested_groups ? `(member:${IN_CHAIN}:=${value})` : `(member=${value})`);
  }
  const found = new Set(
    await dnsOf(`(|(member=${value})(uniqueMember=${value})(memberUid=${filterValue(person.name)}))`),
  );
  let last: readonly string[] = [...found];
  for (let level = 0; options.nested_groups && last.length > 0 && level < MOST_LEVELS; level++) {
    const conditions = last.map(filterValue).map((group) => `(member=${group})(uniqueMember=${group})`);
    const above = await dnsOf(`(|${conditions.join('')})`);
    last = above.filter((dn) => !found.has(dn));
    for (const dn of last) found.add(dn);
  }
  return [...found];
}

async function entriesOf(
  connection: LdapConnection,
  { base, filter, options }: { readonly base: string; readonly filter: string; readonly options: LdapSignInOptions },
  most: number,
): Promise<readonly Entry[]> {
  const { idAttribute, nameAttribute } = termsOf(options);
  const attributes = [
    idAttribute,
    nameAttribute,
    options.email_attribute,
    'userAccountControl',
    'pwdAccountLockedTime',
  ];
  const found: Entry[] = [];
  // The server continues a search that is abandoned early, so it is read to its end.
  for await (const items of connection.search({ base, scope: 'sub', filter, attributes, pageSize: 500 })) {
    for (const item of items) {
      // Entries on other servers are not requested, so they cannot be used to sign in.
      if (item instanceof SearchEntry && found.length < most) found.push(entryOf(item));
    }
  }
  return found;
}

function entryOf(found: SearchEntry): Entry {
  const values = new Map(attributesOf(found).map(({ name, values: [first] }) => [name.toLowerCase(), first]));
  return { dn: found.name, value: (attribute) => values.get(attribute.toLowerCase()) };
}

/** Disabled in Active Directory, or locked for good by a password policy of OpenLDAP. */
function isOut(entry: Entry): boolean {
  const control = Number(entry.value('userAccountControl')?.toString('latin1') ?? 0);
  return (control & DISABLED) !== 0 || entry.value('pwdAccountLockedTime') !== undefined;
}
