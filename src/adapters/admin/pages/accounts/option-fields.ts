import type { OfferedOutput } from '../../offered-operations.ts';

export type AccountType = OfferedOutput<'accounts/list-account-types'>['types'][number];
export type Account = OfferedOutput<'accounts/show-account'>;

/** One option of an account's type, as a form shows it. Values are texts, as the service keeps them; empty: not set. */
export interface OptionField {
  readonly name: string;
  /** Other names that it may be stored under. */
  readonly aliases: readonly string[];
  readonly kind: 'flag' | 'choice' | 'number' | 'list' | 'secret' | 'text';
  readonly description: string;
  readonly required: boolean;
  /** What an option that is not set counts as; empty when it counts as nothing. */
  readonly fallback: string;
  readonly choices: readonly string[];
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** As much of JSON schema as options use. */
interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly PropertySchema[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly writeOnly?: boolean;
  readonly aliases?: readonly string[];
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
}

/** The options that a JSON schema describes, in its order. */
export function optionFields(given: Readonly<Record<string, unknown>>): readonly OptionField[] {
  const { properties = {}, required = [] } = given as ObjectSchema;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    aliases: property.aliases ?? [],
    kind: kindOf(property),
    description: property.description ?? '',
    required: required.includes(name),
    fallback: textOf(property.default),
    choices: (property.enum ?? []).map(String),
    min: property.minimum,
    max: property.maximum,
  }));
}

/** The account with its options by the names that their fields have, whichever they are stored under. */
export function withFieldNames(account: Account, fields: readonly OptionField[]): Account {
  const names = new Map(fields.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name])));
  const nameOf = (stored: string): string => names.get(stored) ?? stored;
  const options = Object.entries(account.options).map(([stored, value]) => [nameOf(stored), value]);
  return { ...account, options: Object.fromEntries(options), secret_options: account.secret_options.map(nameOf) };
}

/** The type of that name, or the one that the name is another word for. */
export function typeNamed(types: readonly AccountType[], name: string): AccountType | undefined {
  return types.find(({ id, aliases }) => id === name || aliases.includes(name));
}

function kindOf(property: PropertySchema): OptionField['kind'] {
  const types = typesOf(property);
  if (property.writeOnly === true) return 'secret';
  if (property.enum !== undefined) return 'choice';
  // Numbers, flags and lists may come as text too.
  if (types.includes('boolean')) return 'flag';
  if (types.includes('integer') || types.includes('number')) return 'number';
  return types.includes('array') ? 'list' : 'text';
}

function typesOf({ type, anyOf = [] }: PropertySchema): readonly string[] {
  const own = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  return [...own, ...anyOf.flatMap(typesOf)];
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return value === undefined || value === null ? '' : String(value);
}
