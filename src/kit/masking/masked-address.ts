import { MASK } from './secret-mask.ts';

/** In these, what stands behind the scheme is a path, and an `@` is a sign like others. */
const PATHS = /^(?:sqlite|file):(?!\/\/)/i;
/** By kind of database, options that are no secret: they say which servers are meant and how long they are waited for. */
const OPTIONS: readonly (readonly [address: RegExp, names: ReadonlySet<string>])[] = [
  [
    /^\s*mongodb(?:\+srv)?:/i,
    new Set(
      (
        'replicaSet directConnection tls ssl authSource authMechanism readPreference retryWrites w ' +
        'connectTimeoutMS serverSelectionTimeoutMS socketTimeoutMS'
      ).split(' '),
    ),
  ],
  [
    /^\s*postgres(?:ql)?:/i,
    new Set('sslmode sslrootcert sslcert sslkey host schema application_name pool_size statement_timeout'.split(' ')),
  ],
];
const ADDRESS = /[a-z][a-z\d+.-]*:\/\/[^\s"'<>`]+/gi;

/**
 * An address as people may see it: nobody knows which part of it a place takes for a secret, so user, password, values of the query and
 * fragment are all hidden. The user ends at the last `@`, because whoever mistypes an address did not encode one in the password either.
 */
export function maskedAddress(address: string): string {
  const named = PATHS.test(address)
    ? address
    : address.replace(/^(\s*(?:[a-z][a-z\d+.-]*:(?:\/\/)?)?).*@/is, `$1${MASK}@`);
  const [, place = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(named) ?? [];
  const open = OPTIONS.find(([kind]) => kind.test(address))?.[1];
  const masked = (pair: string): string => (open?.has(pair.split('=', 1)[0] ?? '') ? pair : maskedPair(pair));
  return [
    place,
    query === undefined ? '' : `?${query.split('&').map(masked).join('&')}`,
    fragment === undefined ? '' : `#${fragment === '' ? '' : MASK}`,
  ].join('');
}

function maskedPair(pair: string): string {
  const [name = '', ...values] = pair.split('=');
  if (values.length === 0) return name === '' ? '' : MASK;
  return `${name}=${values.join('') === '' ? '' : MASK}`;
}

/** A sentence with every address in it shown that way. */
export function maskedAddressesIn(text: string): string {
  return text.replace(ADDRESS, maskedAddress);
}
