import { Trans } from '@lingui/react/macro';
import { Fieldset, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Field, type FormSchema, fieldsOf } from '../forms/schema.ts';
import { SchemaFields } from '../forms/schema-fields.tsx';
import { type ChosenOptions, optionGroups } from './applying-options.ts';

interface OptionFieldsProps extends ChosenOptions {
  readonly legend: string;
  readonly schema: FormSchema;
  readonly isOptional: (name: string) => boolean;
  /** Stands below them. */
  readonly children?: ReactNode;
}

/** The options that have an effect with what is chosen, those that few people need behind a word. What a child does not say, its parent may. */
export function OptionFields({ legend, schema, isOptional, children, ...chosen }: OptionFieldsProps) {
  const all = fieldsOf(schema);
  if (all.length === 0) return null;
  const { usual, rare } = optionGroups(all, chosen);
  const shown = { ...schema, required: (schema.required ?? []).filter((name) => !isOptional(name)) };
  return (
    <Fieldset legend={legend}>
      <Stack gap="md">
        <Sorted schema={shown} all={all} some={usual} />
        {rare.length > 0 && (
          <details>
            <summary>
              <Trans>More options ({rare.length})</Trans>
            </summary>
            <Stack gap="md" mt="sm">
              <Sorted schema={shown} all={all} some={rare} />
            </Stack>
          </details>
        )}
        {children}
      </Stack>
    </Fieldset>
  );
}

interface SortedProps {
  readonly schema: FormSchema;
  readonly all: readonly Field[];
  readonly some: readonly Field[];
}

/** Switches stand below the others, so that the rows have no holes. */
function Sorted({ schema, all, some }: SortedProps) {
  const flags = some.filter(({ kind }) => kind === 'flag');
  const others = some.filter(({ kind }) => kind !== 'flag');
  const without = (kept: readonly Field[]): ReadonlySet<string> =>
    new Set(all.filter((field) => !kept.includes(field)).map(({ name }) => name));
  return (
    <>
      {others.length > 0 && (
        <FieldPairs>
          <SchemaFields schema={schema} path={[]} without={without(others)} size="sm" />
        </FieldPairs>
      )}
      {flags.length > 0 && (
        <FieldPairs>
          <SchemaFields schema={schema} path={[]} without={without(flags)} />
        </FieldPairs>
      )}
    </>
  );
}

/** Two fields a row, where there is room. */
export function FieldPairs({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
      {children}
    </SimpleGrid>
  );
}
