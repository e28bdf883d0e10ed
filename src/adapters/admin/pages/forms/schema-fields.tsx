import { t } from '@lingui/core/macro';
import { Checkbox, Fieldset, List, NativeSelect, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { JsonObject, JsonValue } from '../../../../ports/index.ts';
import { Words } from '../parts/words.tsx';
import { type Path, textOf, valueAt } from './document.ts';
import { useDraft, useMember } from './draft.ts';
import { ExampleButton } from './example-button.tsx';
import { MemberLabel } from './member-label.tsx';
import { ENTRIES, ROW_WORDS } from './row-words.ts';
import { RowsField } from './rows-field.tsx';
import { type Field, type FormSchema, fieldsOf } from './schema.ts';
import { SecretField } from './secret-field.tsx';
import { SuggestField } from './suggest-field.tsx';
import { FlagField, MonoField, NumberField, TextField } from './text-fields.tsx';
import { useSuggestions } from './use-suggestions.ts';

interface SchemaFieldsProps {
  /** Schema of an object. */
  readonly schema: FormSchema;
  /** Path of the object in the document. */
  readonly path: Path;
  /** Paths of secrets without the positions in lists, if the schema does not mark them. */
  readonly secrets?: ReadonlySet<string>;
  /** Members that other fields cover, or that are not filled in at present. */
  readonly without?: ReadonlySet<string>;
  /** Fields of their own for some members, given their description. */
  readonly own?: Readonly<Record<string, (description: ReactNode) => ReactNode>>;
  /** Names of members that are marked because their effective value is not the default. */
  readonly differing?: ReadonlySet<string>;
  /** True if the meaning of the members is explained elsewhere. */
  readonly isBare?: boolean;
  readonly size?: 'xs' | 'sm';
}

/** A field for each member that a schema names. */
export function SchemaFields({ schema, path, without, ...options }: SchemaFieldsProps) {
  return usedFields(schema, without).map((field) => (
    <SchemaField key={field.name} field={field} path={[...path, field.name]} {...options} />
  ));
}

function usedFields(schema: FormSchema, without: ReadonlySet<string> = NONE): readonly Field[] {
  return fieldsOf(schema).filter(({ name }) => !without.has(name));
}

interface SchemaFieldProps extends Pick<SchemaFieldsProps, 'secrets' | 'own' | 'differing' | 'isBare' | 'size'> {
  readonly field: Field;
  readonly path: Path;
}

function SchemaField({
  field,
  path,
  secrets = NONE,
  own = {},
  differing = NONE,
  isBare = false,
  size = 'xs',
}: SchemaFieldProps) {
  const { document } = useDraft();
  const value = valueAt(document, path);
  const { name, title, kind, required, fallback, members, offers, hasLines } = field;
  const description = field.description === '' || isBare ? undefined : <Words>{field.description}</Words>;
  const shown = {
    path,
    label: <MemberLabel title={title} name={name} differs={differing.has(name)} />,
    description,
    required,
    size,
  };
  if (own[name] !== undefined) return own[name](description);
  if (field.isSecret || secrets.has(path.filter((step) => typeof step === 'string').join('.'))) {
    // Values that the service seals or hashes cannot be typed.
    return /_crypted$|hash$/i.test(name) ? null : <SecretField {...shown} />;
  }
  if (kind === 'choice') return <ChoiceField {...shown} choices={field.choices} fallback={fallback} />;
  if (kind === 'choices' && (value === undefined || value === null || isTexts(value))) {
    return <ChoicesField {...shown} choices={field.choices} titles={field.choiceTitles} />;
  }
  if (kind === 'flag') return <FlagField {...shown} fallback={fallback} />;
  if (kind === 'objects' && members !== undefined) {
    const unused = document.rule_source === 'list' ? NONE : ROW_MEMBERS;
    return (
      <RowsField
        path={path}
        title={name === 'outcomes' ? t`Outcomes` : name}
        words={ROW_WORDS[name] ?? ENTRIES}
        {...(field.description === '' ? {} : { description: field.description })}
        empty={ROW_WORDS[name]?.empty ?? t`There are no ${name} yet.`}
        newRow={emptyRow(members, unused)}
        head={<Meanings schema={members} without={unused} />}
      >
        {(rowPath, row) => (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={6}>
            <SchemaFields
              schema={members}
              path={rowPath}
              secrets={secrets}
              without={unusedMembers(row, unused)}
              isBare
            />
          </SimpleGrid>
        )}
      </RowsField>
    );
  }
  if (kind === 'object' && members !== undefined) {
    return (
      <Fieldset legend={name} p="sm">
        <Stack gap={6}>
          <SchemaFields schema={members} path={path} secrets={secrets} />
        </Stack>
      </Fieldset>
    );
  }
  if (kind === 'integer' || kind === 'number') {
    return (
      <NumberField {...shown} isWhole={kind === 'integer'} min={field.min} max={field.max} placeholder={fallback} />
    );
  }
  if (offers !== undefined && kind === 'text' && !isStructure(value))
    return <SuggestField {...shown} offers={offers} />;
  if (kind === 'texts' && (value === undefined || value === null || isTexts(value))) {
    return <TextsField {...shown} offers={offers} />;
  }
  if (kind === 'text' && hasLines && !isStructure(value)) {
    return (
      <div>
        <MonoField {...shown} placeholder={fallback} />
        {field.example !== '' && <ExampleButton path={path} example={field.example} name={title || name} />}
      </div>
    );
  }
  if ((kind === 'text' || kind === 'texts') && !isStructure(value))
    return <TextField {...shown} placeholder={fallback} />;
  if (kind === 'value' && (value === undefined || value === null || typeof value === 'string')) {
    return <MonoField {...shown} />;
  }
  return <InDocument {...shown} />;
}

const NONE: ReadonlySet<string> = new Set();
/** Members of rows that are about one host each. */
const ROW_MEMBERS: ReadonlySet<string> = new Set(['hostname']);

/** Explains the members of a row, once for all rows. */
function Meanings({ schema, without }: { readonly schema: FormSchema; readonly without: ReadonlySet<string> }) {
  return (
    <List size="xs" c="dimmed" listStyleType="none" styles={{ item: { lineHeight: 1.4 } }}>
      {usedFields(schema, without).map(({ name, title, description }) => (
        <List.Item key={name}>
          <MemberLabel title={title} name={name} />: <Words>{description}</Words>
        </List.Item>
      ))}
    </List>
  );
}

/** Filled in by the document only. */
function InDocument({ path, label }: { readonly path: Path; readonly label: ReactNode }) {
  const { value, error } = useMember(path);
  return (
    <div>
      <Text size="xs" fw={500}>
        {label}
      </Text>
      <Text size="xs" c="dimmed" className="wrap-anywhere" lineClamp={3}>
        {value === undefined
          ? t`Not set; change it in the document.`
          : t`${{ value: JSON.stringify(value) }}; change it in the document.`}
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
  readonly label: ReactNode;
  readonly description: ReactNode;
  readonly required: boolean;
  readonly size: 'xs' | 'sm';
}

interface ChoiceFieldProps extends ValueFieldProps {
  readonly choices: readonly string[];
  readonly fallback: string;
}

function ChoiceField({ path, choices, fallback, ...props }: ChoiceFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  const current = textOf(value) || fallback;
  const options = choices.includes(current) ? choices : [current, ...choices];
  return (
    <NativeSelect
      {...props}
      data={options.map((choice) => ({
        value: choice,
        label: choice === '' ? (choices.includes('') ? t`keep (empty)` : t`choose`) : choice,
      }))}
      value={current}
      error={error}
      disabled={isReadOnly}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

interface ChoicesFieldProps extends ValueFieldProps {
  readonly choices: readonly string[];
  readonly titles: readonly string[];
}

/** A box to tick for each choice. A stored choice that is not offered keeps its box, so that saving loses nothing. */
function ChoicesField({ path, choices, titles, required: _, ...props }: ChoicesFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  const chosen = isTexts(value) ? value : [];
  const shown = [...choices, ...chosen.filter((choice) => !choices.includes(choice))];
  return (
    <Checkbox.Group
      {...props}
      value={[...chosen]}
      error={error}
      readOnly={isReadOnly}
      onChange={(next) => set(next.length === 0 ? undefined : shown.filter((choice) => next.includes(choice)))}
    >
      <Stack gap={6} mt={6}>
        {shown.map((choice, place) => (
          <Checkbox
            key={choice}
            size="xs"
            value={choice}
            disabled={isReadOnly}
            label={<MemberLabel title={titles[place] ?? ''} name={choice} />}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface TextsFieldProps extends ValueFieldProps {
  readonly offers: Field['offers'];
}

function TextsField({ path, offers, ...props }: TextsFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  const [isUsed, setUsed] = useState(false);
  const suggestions = useSuggestions(offers ?? 'attribute', isUsed && offers !== undefined && !isReadOnly);
  return (
    <TagsInput
      {...props}
      placeholder={t`type and press Enter`}
      splitChars={[]}
      data={offers === undefined ? [] : suggestions.map((suggestion) => suggestion.value)}
      onFocus={() => setUsed(true)}
      value={isTexts(value) ? [...value] : []}
      error={error}
      readOnly={isReadOnly}
      onChange={set}
    />
  );
}

/** The members that every element needs, empty. */
function emptyRow(items: FormSchema, without: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    usedFields(items, without).flatMap(({ name, kind, choices }): [string, JsonValue][] => {
      if (kind === 'choice') return [[name, choices[0] ?? '']];
      return kind === 'text' || kind === 'value' ? [[name, '']] : [];
    }),
  );
}

/** Returns the members that an outcome of the chosen kind ignores. */
function unusedMembers(row: JsonObject, others: ReadonlySet<string>): ReadonlySet<string> {
  const unused = new Set(others);
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
