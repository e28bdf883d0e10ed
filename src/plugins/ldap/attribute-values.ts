import type { TextDecoder } from 'node:util';
import { generalizedTime } from '../../jinja/point-in-time.ts';
import type { JsonValue } from '../../ports/index.ts';

/** Converts a value; returns `undefined` if it is left out. */
type Reader = (value: Buffer) => JsonValue | undefined;

/**
 * Identifiers in a binary form that people do not write. Listed by name, because a directory does not report the type of an
 * attribute.
 */
const IDENTIFIERS = names('objectGUID mS-DS-ConsistencyGuid msExchMailboxGuid schemaIDGUID attributeSecurityGUID');
const SECURITY_IDS = names('objectSid sIDHistory securityIdentifier tokenGroups tokenGroupsGlobalAndUniversal');
/** Points in time as Windows counts them. */
const FILE_TIMES = names(
  'lastLogon lastLogonTimestamp lastLogoff pwdLastSet accountExpires badPasswordTime lockoutTime creationTime ' +
    'ms-Mcs-AdmPwdExpirationTime msLAPS-PasswordExpirationTime msDS-UserPasswordExpiryTimeComputed',
);
/** Bytes that may happen to be text. */
const BYTES = names(
  'userCertificate userSMIMECertificate cACertificate crossCertificatePair certificateRevocationList jpegPhoto photo ' +
    'thumbnailPhoto thumbnailLogo audio nTSecurityDescriptor logonHours auditingPolicy replPropertyMetaData ' +
    'msDS-GenerationId dnsRecord userParameters msExchBlockedSendersHash msExchSafeSendersHash',
);
/** Credentials, and secrets that unlock something. They do not become labels unless the account names them. */
const SECRETS = names(
  'userPassword authPassword unicodePwd dBCSPwd ntPwdHistory lmPwdHistory supplementalCredentials currentValue priorValue ' +
    'ms-Mcs-AdmPwd msLAPS-Password msLAPS-EncryptedPassword msLAPS-EncryptedPasswordHistory msLAPS-EncryptedDSRMPassword ' +
    'msLAPS-EncryptedDSRMPasswordHistory msDS-ManagedPassword msFVE-RecoveryPassword msFVE-KeyPackage initialAuthIncoming ' +
    'initialAuthOutgoing trustAuthIncoming trustAuthOutgoing sambaNTPassword sambaLMPassword sambaPasswordHistory krbPrincipalKey ' +
    'krbMKey pwdHistory',
);

function names(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().split(' '));
}

/** Whether an attribute must not be shown. */
export function isSecret(attribute: string): boolean {
  return SECRETS.has(withoutOptions(attribute));
}

/** Reads values of attributes. Values that are not text in the encoding of the account are treated as bytes. */
export class AttributeValues {
  readonly #decoder: TextDecoder;
  readonly #base64: boolean;

  constructor(decoder: TextDecoder, base64: boolean) {
    this.#decoder = decoder;
    this.#base64 = base64;
  }

  /** One value alone, several as a list; `undefined` when nothing is left of them. */
  of(attribute: string, values: readonly Buffer[]): JsonValue | undefined {
    const read = this.#reader(attribute);
    const all = values.map(read).filter((value) => value !== undefined);
    return all.length > 1 ? all : all[0];
  }

  text(value: Buffer): string | undefined {
    try {
      return this.#decoder.decode(value);
    } catch {
      return undefined;
    }
  }

  #reader(attribute: string): Reader {
    const name = withoutOptions(attribute);
    if (IDENTIFIERS.has(name)) return (value) => identifier(value) ?? this.#bytes(value);
    if (SECURITY_IDS.has(name)) return (value) => securityId(value) ?? this.#bytes(value);
    if (BYTES.has(name) || /;binary$/i.test(attribute)) return (value) => this.#bytes(value);
    if (FILE_TIMES.has(name)) return (value) => fileTime(value.toString('latin1'));
    return (value) => {
      const text = this.text(value);
      return text === undefined ? this.#bytes(value) : (generalizedTime(text) ?? text);
    };
  }

  #bytes(value: Buffer): string | undefined {
    return this.#base64 ? value.toString('base64') : undefined;
  }
}

function withoutOptions(attribute: string): string {
  const [name = ''] = attribute.toLowerCase().split(';');
  return name;
}

/** Formats a GUID, whose first three numbers are stored with their last byte first. */
function identifier(value: Buffer): string | undefined {
  if (value.length !== 16) return undefined;
  const ordered = Buffer.from(value);
  ordered.subarray(0, 4).reverse();
  ordered.subarray(4, 6).reverse();
  ordered.subarray(6, 8).reverse();
  return ordered.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** `S-1-5-21-…` */
function securityId(value: Buffer): string | undefined {
  const count = value[1];
  if (count === undefined || value.length !== 8 + 4 * count) return undefined;
  const parts = Array.from({ length: count }, (_, index) => value.readUInt32LE(8 + 4 * index));
  return ['S', value[0], value.readUIntBE(2, 6), ...parts].join('-');
}

const NEVER = 0x7fff_ffff_ffff_ffffn;
const MS_BEFORE_1970 = 11_644_473_600_000n;

/** Tenths of microseconds since 1601. Zero and the largest number say that it never was or will be. */
function fileTime(text: string): JsonValue {
  if (!/^-?\d{1,19}$/.test(text)) return text;
  const ticks = BigInt(text);
  if (ticks <= 0n || ticks === NEVER) return null;
  const time = new Date(Number(ticks / 10_000n - MS_BEFORE_1970));
  return Number.isNaN(time.getTime()) ? text : iso(time);
}

function iso(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}
