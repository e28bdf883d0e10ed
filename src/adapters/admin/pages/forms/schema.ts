import type { JsonObject } from '../../../../ports/index.ts';

/** Kind of a member, by its schema; `text` accepts other scalars too, `value` anything, and `other` fits no form. */
type FieldKind =
  | 'choice'
  | 'flag'
  | 'integer'
  | 'number'
  | 'text'
  | 'value'
  | 'objects'
  | 'object'
  | 'texts'
  | 'choices'
  | 'other';

/** One member of an object, as a form shows it. */
export interface Field {
  readonly name: string;
  /** Title in words; empty if it has none. */
  readonly title: string;
  /** Heading of the member; empty if it has none. */
  readonly group: string;
  /** The setting common to all accounts with the same meaning. */
  readonly accountField: string;
  /** Kind of names that its text may contain. */
  readonly offers: 'attribute' | 'playbook' | 'provider' | 'receiver' | 'rule_type' | 'subject' | undefined;
  /** Other names that it may be stored under. */
  readonly aliases: readonly string[];
  readonly kind: FieldKind;
  readonly description: string;
  readonly required: boolean;
  readonly isSecret: boolean;
  /** Whether its text may have several lines. */
  readonly hasLines: boolean;
  /** A value to start from; empty if there is none. */
  readonly example: string;
  /** Values of other members, by name, with which alone it has an effect: one of those named, of each. */
  readonly when: Readonly<Record<string, readonly string[]>>;
  /** True if it is rarely needed. */
  readonly isRare: boolean;
  /** The default, as text; empty if there is none. */
  readonly fallback: string;
  readonly choices: readonly string[];
  /** Titles of the choices, in the same order; empty if they have none. */
  readonly choiceTitles: readonly string[];
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Schema of an object, and of the elements of a list of objects. */
  readonly members: FormSchema | undefined;
}

/** The part of JSON Schema that options of accounts and members of documents use. */
export interface FormSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly FormSchema[];
  readonly enum?: readonly unknown[];
  readonly choice_titles?: readonly { readonly title: string }[];
  readonly items?: FormSchema;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly title?: string;
  readonly group?: { readonly title: string };
  readonly account_field?: string;
  readonly description?: string;
  readonly offers?: Field['offers'];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly writeOnly?: boolean;
  readonly lines?: boolean;
  readonly example?: string;
  readonly aliases?: readonly string[];
  readonly when?: Field['when'];
  readonly rare?: boolean;
}

/** A schema as it comes from the service. */
export function formSchema(given: JsonObject | Readonly<Record<string, unknown>>): FormSchema {
  return given as FormSchema;
}

/** The members that the schema of an object names, in their order. */
export function fieldsOf({ properties = {}, required = [] }: FormSchema): readonly Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    title: schema.title ?? '',
    group: schema.group?.title ?? '',
    accountField: schema.account_field ?? '',
    offers: schema.offers ?? schema.items?.offers,
    aliases: schema.aliases ?? [],
    kind: kindOf(schema),
    description: schema.description ?? '',
    required: required.includes(name),
    isSecret: schema.writeOnly === true,
    hasLines: schema.lines === true,
    example: schema.example ?? '',
    when: schema.when ?? {},
    isRare: schema.rare === true,
    fallback: fallbackOf(schema.default),
    choices: (schema.enum ?? schema.items?.enum ?? []).map(String),
    choiceTitles: (schema.choice_titles ?? schema.items?.choice_titles ?? []).map(({ title }) => title),
    min: schema.minimum,
    max: schema.maximum,
    members: schema.properties === undefined ? schema.items : schema,
  }));
}

function kindOf(schema: FormSchema): FieldKind {
  if (schema.enum !== undefined) return 'choice';
  // All options may also be text.
  if (schema.anyOf !== undefined) return kindOfAny(schema.anyOf.flatMap(typesOf));
  const types = typesOf(schema);
  if (types.includes('array')) {
    if (schema.items === undefined) return 'other';
    if (schema.items.properties !== undefined) return 'objects';
    const items = kindOf(schema.items);
    if (items === 'choice') return 'choices';
    return items === 'text' ? 'texts' : 'other';
  }
  if (types.includes('object')) return schema.properties === undefined ? 'other' : 'object';
  if (types.includes('number')) return types.includes('string') ? 'text' : 'number';
  if (types.includes('boolean')) return 'flag';
  if (types.includes('integer')) return 'integer';
  if (types.includes('string')) return 'text';
  return types.length === 0 ? 'value' : 'other';
}

function kindOfAny(types: readonly string[]): FieldKind {
  if (types.includes('boolean')) return 'flag';
  if (types.includes('number')) return 'number';
  return types.includes('integer') ? 'integer' : 'text';
}

function typesOf({ type = [], anyOf = [] }: FormSchema): readonly string[] {
  return [...(typeof type === 'string' ? [type] : type), ...anyOf.flatMap(typesOf)];
}

function fallbackOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' || value === undefined ? '' : String(value);
}
