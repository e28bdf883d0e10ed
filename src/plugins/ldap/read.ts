import { TextDecoder } from 'node:util';
import { SearchEntry, SearchReference } from 'ldapts';
import { withSignsOfLife } from '../../kit/connection/timeouts.ts';
import { RecordKeys } from '../../kit/records/record-keys.ts';
import { phrase, worded } from '../../kit/worded.ts';
import {
  AppError,
  type ReadContext,
  type SourceAccount,
  type SourceGap,
  type SourceItem,
  type SourceServices,
} from '../../ports/index.ts';
import { AttributeValues } from './attribute-values.ts';
import { LdapConnection } from './connection.ts';
import { type Attribute, askedAttributes, attributesOf, type Entry, type Mapping, partOf, recordOf } from './map.ts';
import type { LdapOptions } from './options.ts';
import { ldapSettings } from './settings.ts';

export interface LdapReading {
  readonly options: LdapOptions;
  readonly account: SourceAccount;
  readonly services: Pick<SourceServices, 'files' | 'logger'>;
}

/** Reads what a search finds, page by page, each entry a record. */
export function readLdap(reading: LdapReading, context: ReadContext): AsyncIterable<readonly SourceItem[]> {
  return withSignsOfLife((inner) => readEntries(reading, inner), context);
}

async function* readEntries(
  reading: LdapReading,
  { signal, progress }: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const { options } = reading;
  const mapping = mappingOf(options);
  const connection = await connect(reading, signal);
  // A search is under way while an attribute is read further, so that needs a connection of its own.
  const further = new FurtherParts(() => connect(reading, signal));
  try {
    let seen = 0;
    for await (const found of connection.search({
      base: options.base_dn,
      scope: options.scope,
      filter: options.search_filter,
      attributes: askedAttributes(mapping),
      pageSize: options.page_size,
    })) {
      const items: SourceItem[] = [];
      for (const one of found) {
        if (one instanceof SearchReference) items.push(...gapsOf(one, options));
        else {
          const item = recordOf(await further.whole(one), mapping);
          if (item !== undefined) items.push(item);
        }
      }
      seen += found.length;
      yield items;
      progress(seen);
    }
  } finally {
    connection.close();
    further.close();
  }
}

async function connect({ options, account, services }: LdapReading, signal: AbortSignal): Promise<LdapConnection> {
  const settings = await ldapSettings(options, account, { files: services.files, signal });
  return LdapConnection.open(settings, services.logger, signal);
}

function mappingOf(options: LdapOptions): Mapping {
  const { hostname_field, attributes, disabled_accounts, encoding, binary_fields } = options;
  return {
    hostnameFields: hostname_field
      .split('|')
      .map((field) => field.trim())
      .filter((field) => field !== ''),
    wanted: attributes,
    keys: new RecordKeys(options.key_fields),
    leaveOutDisabled: disabled_accounts === 'leave_out',
    values: new AttributeValues(decoderOf(encoding), binary_fields === 'base64'),
  };
}

/** Accounts of existing installations say ascii, which every text in UTF-8 may be. */
function decoderOf(encoding: string): TextDecoder {
  const label = /^(us-)?ascii$/i.test(encoding) ? 'utf-8' : encoding.replace(/^cp(125\d)$/i, 'windows-$1');
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true });
  } catch (error) {
    throw new AppError(
      'invalid_input',
      worded`encoding ${{ encoding: JSON.stringify(encoding) }} is not known; use utf-8, latin1, cp1252 …`,
      {
        cause: error,
      },
    );
  }
}

/** Partitions of Active Directory that every search at its root names, and that hold no machines. */
const WITHOUT_HOSTS = /^\/(?:DC=(?:Domain|Forest)DnsZones|CN=(?:Configuration|Schema)),/i;

/** Returns gaps for entries that are on other servers. */
function gapsOf({ uris }: SearchReference, { referrals }: LdapOptions): readonly SourceGap[] {
  const [uri = ''] = uris;
  if (referrals === 'ignore' || WITHOUT_HOSTS.test(pathOf(uri))) return [];
  const reason = phrase`it is on another server; give that one an account of its own, narrow base_dn, or set referrals to ignore`;
  return [{ kind: 'gap', what: uri === '' ? phrase`a part of the directory` : (uri.split('?')[0] as string), reason }];
}

/** The path of an address; as it is if it is not encoded in UTF-8. */
function pathOf(uri: string): string {
  const path = /^ldaps?:\/\/[^/]*(\/[^?]*)/i.exec(uri)?.[1] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Completes attributes for which a server returns only a limited number of values at a time. */
class FurtherParts {
  readonly #connect: () => Promise<LdapConnection>;
  #connection: LdapConnection | undefined;

  constructor(connect: () => Promise<LdapConnection>) {
    this.#connect = connect;
  }

  /** The entry with all values. */
  async whole(found: SearchEntry): Promise<Entry> {
    const attributes: Attribute[] = [];
    for (const attribute of attributesOf(found)) {
      const part = partOf(attribute.name);
      if (part === undefined) attributes.push(attribute);
      else attributes.push({ name: part.name, values: await this.#all(found.name, part, attribute.values) });
    }
    // In addition to its first part, such an attribute appears again without values.
    const ranged = new Set(attributesOf(found).flatMap(({ name }) => partOf(name)?.name ?? []));
    return {
      dn: found.name,
      attributes: attributes.filter(({ name, values }) => values.length > 0 || !ranged.has(name)),
    };
  }

  async #all(dn: string, first: { name: string; next: number | undefined }, values: readonly Buffer[]) {
    const all = [...values];
    for (let { next } = first; next !== undefined; ) {
      const { values: more, next: after } = await this.#part(dn, first.name, next);
      all.push(...more);
      if (after !== undefined && after <= next) throw this.#cutOff(dn, first.name);
      next = after;
    }
    return all;
  }

  async #part(dn: string, name: string, from: number) {
    this.#connection ??= await this.#connect();
    const search = { base: dn, scope: 'base', filter: '(objectClass=*)', pageSize: 1 } as const;
    const attributes = [`${name};range=${from}-*`];
    const parts: { readonly values: readonly Buffer[]; readonly next: number | undefined }[] = [];
    for await (const found of this.#connection.search({ ...search, attributes })) {
      for (const entry of found) {
        if (!(entry instanceof SearchEntry)) continue;
        for (const attribute of attributesOf(entry)) {
          const part = partOf(attribute.name);
          if (part?.name.toLowerCase() === name.toLowerCase())
            parts.push({ values: attribute.values, next: part.next });
        }
      }
    }
    const [only] = parts;
    if (only !== undefined) return only;
    throw this.#cutOff(dn, name);
  }

  #cutOff(dn: string, name: string): AppError {
    return new AppError(
      'failed',
      worded`the server gives no further values of ${{ attribute: name }} of ${{ dn }}; run it again`,
    );
  }

  close(): void {
    this.#connection?.close();
  }
}

/** Connects, and says to what and as whom. */
export async function checkLdap(reading: LdapReading, { signal }: { readonly signal: AbortSignal }): Promise<string> {
  const connection = await connect(reading, signal);
  try {
    const name = await productOf(connection);
    const who = (await connection.whoAmI()).replace(/^(?:dn|u):/, '');
    const { username } = reading.account;
    return `${name} as ${who === '' ? (username === '' ? 'nobody' : username) : who}`;
  } finally {
    connection.close();
  }
}

/** Describes the server with the information it offers, which varies. */
async function productOf(connection: LdapConnection): Promise<string> {
  const asked = ['vendorName', 'vendorVersion', 'dnsHostName', 'objectClass', 'supportedCapabilities'];
  const said = new Map<string, readonly string[]>();
  const search = { base: '', scope: 'base', filter: '(objectClass=*)', attributes: asked, pageSize: 1 } as const;
  for await (const found of connection.search(search)) {
    for (const entry of found) {
      if (!(entry instanceof SearchEntry)) continue;
      for (const { name, values } of attributesOf(entry)) {
        said.set(
          name.toLowerCase(),
          values.map((value) => value.toString('utf8')),
        );
      }
    }
  }
  const first = (name: string): string => said.get(name)?.[0] ?? '';
  const capabilities = said.get('supportedcapabilities') ?? [];
  const kind = capabilities.includes('1.2.840.113556.1.4.800')
    ? 'Active Directory'
    : said.get('objectclass')?.includes('OpenLDAProotDSE') === true
      ? 'OpenLDAP'
      : first('vendorname') || 'LDAP server';
  return [kind, first('vendorversion'), first('dnshostname')].filter((part) => part !== '').join(' ');
}
