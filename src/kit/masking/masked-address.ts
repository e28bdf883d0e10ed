import { MASK } from './secret-mask.ts';

/** In these addresses, the part after the scheme is a path, and `@` has no special meaning. */
const PATHS = /^(?:sqlite|file):(?!\/\/)/i;
/** Non-secret options by kind of database: they select servers and set timeouts. */
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
 * Returns an address that is safe to display: it is unknown which part a service treats as a secret, so user, password, query
 * values and fragment are all hidden. The user ends at the last `@`, because a mistyped address may have an unencoded one in the
 * password.
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
