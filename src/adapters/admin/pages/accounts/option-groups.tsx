import { plural } from '@lingui/core/macro';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Field, FormSchema } from '../forms/schema.ts';
import { SchemaFields } from '../forms/schema-fields.tsx';
import { Section } from '../parts/section.tsx';
import { differs, type OptionGroup } from './applying-options.ts';

interface OptionFieldsProps {
  readonly group: OptionGroup;
  /** Empty for options without a heading. */
  readonly title: string;
  readonly schema: FormSchema;
  readonly isOptional: (name: string) => boolean;
  /** Returns the value set for an option, as text. */
  readonly value: (name: string) => string;
  /** Shown above the options. */
  readonly before?: ReactNode;
  /** Shown between the visible options and the folded ones. */
  readonly children?: ReactNode;
}

/**
 * Shows the options under one heading, with those at their default folded. Options missing in a child may be set by its parent.
 */
export function OptionFields({ group, title, schema, isOptional, value, before, children }: OptionFieldsProps) {
  const { shown, folded } = group;
  const relaxed = { ...schema, required: (schema.required ?? []).filter((name) => !isOptional(name)) };
  const differing = new Set(
    [...shown, ...folded].filter((field) => differs(field, value(field.name))).map(({ name }) => name),
  );
  return (
    <Section title={group.title || title}>
      {before}
      <Sorted schema={relaxed} some={shown} differing={differing} />
      {children}
      {folded.length > 0 && (
        <details>
          <FoldedSummary fields={folded} />
          <Stack gap="md" mt="sm">
            <Sorted schema={relaxed} some={folded} differing={differing} />
          </Stack>
        </details>
      )}
    </Section>
  );
}

const MOST_NAMED = 6;

/** Shows the number and names of folded options, so that they are not opened in vain. */
export function FoldedSummary({ fields }: { readonly fields: readonly Field[] }) {
  const count = plural(fields.length, { one: '# more option, as by default', other: '# more options, as by default' });
  const names = fields.map(({ name, title }) => title || name);
  const first = names.slice(0, MOST_NAMED).join(', ');
  return (
    <summary className="wrap-anywhere" style={{ fontSize: 'var(--mantine-font-size-sm)' }} title={names.join(', ')}>
      {count}{' '}
      <Text span size="xs" c="dimmed">
        ({names.length > MOST_NAMED ? `${first}, …` : first})
      </Text>
    </summary>
  );
}

interface SortedProps {
  readonly schema: FormSchema;
  readonly some: readonly Field[];
  readonly differing: ReadonlySet<string>;
}

/** Switches are placed below the others, so that the rows have no holes. */
function Sorted({ schema, some, differing }: SortedProps) {
  const of = (fields: readonly Field[]): FormSchema => ({
    ...schema,
    properties: Object.fromEntries(fields.map(({ name }) => [name, schema.properties?.[name] ?? {}])),
  });
  const flags = some.filter(({ kind }) => kind === 'flag');
  const others = some.filter(({ kind }) => kind !== 'flag');
  return (
    <>
      {others.length > 0 && (
        <FieldPairs>
          <SchemaFields schema={of(others)} path={[]} differing={differing} size="sm" />
        </FieldPairs>
      )}
      {flags.length > 0 && (
        <FieldPairs>
          <SchemaFields schema={of(flags)} path={[]} differing={differing} />
        </FieldPairs>
      )}
    </>
  );
}

/** Lays out two fields a row, if there is room. */
export function FieldPairs({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
      {children}
    </SimpleGrid>
  );
}
