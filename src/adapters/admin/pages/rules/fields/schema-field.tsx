import { Fieldset, List, NativeSelect, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { JsonObject, JsonValue } from '../../../../../ports/index.ts';
import { isObject, type Path, textOf, valueAt } from '../document.ts';
import { Words } from '../words.tsx';
import { useDraft, useMember } from './draft.ts';
import { ProjectField } from './project-field.tsx';
import { RowsField } from './rows-field.tsx';
import { SecretField } from './secret-field.tsx';
import { FlagField, MonoField, NumberField, TextField } from './text-fields.tsx';

interface SchemaFieldsProps {
  /** JSON Schema of an object. */
  readonly schema: JsonObject;
  /** Where the object stands in the document. */
  readonly path: Path;
  /** Paths of secrets without the positions in lists. */
  readonly secrets: ReadonlySet<string>;
  /** Members that other fields are for, or that nobody fills in now. */
  readonly without?: ReadonlySet<string>;
  /** True where what the members mean stands elsewhere. */
  readonly isBare?: boolean;
}

/** A field for each member that a schema names. */
export function SchemaFields({ schema, path, secrets, without, isBare = false }: SchemaFieldsProps) {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties)
    .filter(([name]) => without?.has(name) !== true)
    .map(([name, member]) => (
      <SchemaField
        key={name}
        name={name}
        schema={isObject(member) ? member : {}}
        path={[...path, name]}
        isRequired={required.includes(name)}
        secrets={secrets}
        isBare={isBare}
      />
    ));
}

interface SchemaFieldProps {
  readonly name: string;
  readonly schema: JsonObject;
  readonly path: Path;
  readonly isRequired: boolean;
  readonly secrets: ReadonlySet<string>;
  readonly isBare: boolean;
}

function SchemaField({ name, schema, path, isRequired, secrets, isBare }: SchemaFieldProps) {
  const { document } = useDraft();
  const value = valueAt(document, path);
  const description =
    typeof schema.description === 'string' && !isBare ? <Words>{schema.description}</Words> : undefined;
  const field = { path, label: name, description, required: isRequired };
  if (path.length === 1 && name === 'project') return <ProjectField description={description} />;
  if (secrets.has(path.filter((step) => typeof step === 'string').join('.'))) {
    // What is sealed or hashed by the service is nothing to type.
    return /_crypted$|hash$/i.test(name) ? null : <SecretField {...field} />;
  }
  const kind = kindOf(schema);
  if (kind === 'choice') return <ChoiceField {...field} choices={schema.enum as readonly JsonValue[]} />;
  if (kind === 'flag') return <FlagField {...field} />;
  if (kind === 'objects') {
    const items = schema.items as JsonObject;
    return (
      <RowsField
        path={path}
        title={name === 'outcomes' ? 'Outcomes' : name}
        noun={NOUNS[name] ?? 'entry'}
        {...(typeof schema.description === 'string' ? { description: schema.description } : {})}
        empty={`There are no ${name} yet.`}
        newRow={emptyRow(items)}
        head={<Meanings schema={items} />}
      >
        {(rowPath, row) => (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={6}>
            <SchemaFields schema={items} path={rowPath} secrets={secrets} without={unusedMembers(row)} isBare />
          </SimpleGrid>
        )}
      </RowsField>
    );
  }
  if (kind === 'object') {
    return (
      <Fieldset legend={name} p="sm">
        <Stack gap={6}>
          <SchemaFields schema={schema} path={path} secrets={secrets} />
        </Stack>
      </Fieldset>
    );
  }
  if (kind === 'integer') return <NumberField {...field} />;
  if (kind === 'texts' && (value === undefined || value === null || isTexts(value))) return <TextsField {...field} />;
  if (kind === 'text' && !isStructure(value)) return <TextField {...field} />;
  if (kind === 'value' && (value === undefined || value === null || typeof value === 'string')) {
    return <MonoField {...field} />;
  }
  return <InDocument {...field} />;
}

/** What the members of each row mean, once for all rows. */
function Meanings({ schema }: { readonly schema: JsonObject }) {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return (
    <List size="xs" c="dimmed" listStyleType="none" styles={{ item: { lineHeight: 1.4 } }}>
      {Object.entries(properties).map(([name, member]) => (
        <List.Item key={name}>
          {name}: <Words>{isObject(member) && typeof member.description === 'string' ? member.description : ''}</Words>
        </List.Item>
      ))}
    </List>
  );
}

/** Filled in by the document only. */
function InDocument({ path, label }: { readonly path: Path; readonly label: string }) {
  const { value, error } = useMember(path);
  return (
    <div>
      <Text size="xs" fw={500}>
        {label}
      </Text>
      <Text size="xs" c="dimmed" className="wrap-anywhere" lineClamp={3}>
        {value === undefined ? 'Not set' : JSON.stringify(value)}; change it in the document.
      </Text>
      {error !== undefined && (
        <Text size="xs" c="red" role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}

interface ValueFieldProps {
  readonly path: Path;
  readonly label: string;
  readonly description: ReactNode;
  readonly required: boolean;
}

function ChoiceField({ path, choices, ...props }: ValueFieldProps & { readonly choices: readonly JsonValue[] }) {
  const { value, error, isReadOnly, set } = useMember(path);
  const known = choices.map(textOf);
  const current = textOf(value);
  const options = known.includes(current) ? known : [current, ...known];
  return (
    <NativeSelect
      size="xs"
      {...props}
      data={options.map((choice) => ({
        value: choice,
        label: choice === '' ? (known.includes('') ? 'keep (empty)' : 'choose') : choice,
      }))}
      value={current}
      error={error}
      disabled={isReadOnly}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

function TextsField({ path, ...props }: ValueFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  return (
    <TagsInput
      size="xs"
      {...props}
      placeholder="type and press Enter"
      splitChars={[]}
      value={isTexts(value) ? [...value] : []}
      error={error}
      readOnly={isReadOnly}
      onChange={set}
    />
  );
}

type Kind = 'choice' | 'flag' | 'integer' | 'text' | 'value' | 'objects' | 'object' | 'texts' | 'other';

/** What a member is, by the schema that the service makes of its table. */
function kindOf(schema: JsonObject): Kind {
  if (Array.isArray(schema.enum)) return 'choice';
  if (Array.isArray(schema.anyOf)) return 'text';
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
  if (types.includes('array')) {
    if (!isObject(schema.items)) return 'other';
    return isObject(schema.items.properties) ? 'objects' : kindOf(schema.items) === 'text' ? 'texts' : 'other';
  }
  if (types.includes('object')) return isObject(schema.properties) ? 'object' : 'other';
  if (types.includes('number')) return 'text';
  if (types.includes('boolean')) return 'flag';
  if (types.includes('integer')) return 'integer';
  if (types.includes('string')) return 'text';
  return types.length === 0 ? 'value' : 'other';
}

const NOUNS: Readonly<Record<string, string>> = {
  outcomes: 'outcome',
  jobs: 'job',
  custom_fields: 'field',
  custom_ansible_variables: 'variable',
};

/** The members that every element needs, empty. */
function emptyRow(items: JsonObject): JsonObject {
  const properties = isObject(items.properties) ? items.properties : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]): [string, JsonValue][] => {
      if (!isObject(schema)) return [];
      const kind = kindOf(schema);
      if (kind === 'choice') return [[name, (schema.enum as readonly JsonValue[])[0] ?? '']];
      return kind === 'text' || kind === 'value' ? [[name, '']] : [];
    }),
  );
}

/** What an outcome of the kind that is chosen does not look at. */
function unusedMembers(row: JsonObject): ReadonlySet<string> {
  const unused = new Set<string>();
  if (row.overwrite_name === '') unused.add('new_attribute_name');
  if (row.overwrite_value === '') unused.add('new_value');
  if (row.action === 'ignore_hosts') unused.add('attribute_name');
  return unused;
}

function isTexts(value: JsonValue | undefined): value is readonly string[] & JsonValue {
  return Array.isArray(value) && value.every((item: JsonValue) => typeof item === 'string');
}

function isStructure(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null;
}
