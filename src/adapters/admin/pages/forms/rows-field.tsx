import { Trans } from '@lingui/react/macro';
import { Button, Fieldset, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import type { JsonObject, JsonValue } from '../../../../ports/index.ts';
import { numberText } from '../language/numbers.ts';
import { Words } from '../parts/words.tsx';
import { isObject, type Path } from './document.ts';
import { useMember } from './draft.ts';
import { RowActions } from './row-actions.tsx';
import type { RowWords } from './row-words.ts';

interface RowsFieldProps {
  readonly path: Path;
  readonly title: string;
  readonly words: RowWords;
  readonly description?: string;
  /** Shown if there is no row. */
  readonly empty: string;
  readonly newRow: JsonObject;
  /** Above the rows. */
  readonly head?: ReactNode;
  /** Shown in the first line of a row, next to its number. */
  readonly rowHead?: (path: Path, row: JsonObject) => ReactNode;
  readonly children: (path: Path, row: JsonObject) => ReactNode;
}

/** More of them would make the page too slow to type in. */
const MOST_SHOWN = 200;

/** A list of objects: rows that can be added, moved and removed. */
export function RowsField({ path, title, words, description, empty, newRow, head, rowHead, children }: RowsFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  const rows: readonly JsonValue[] = Array.isArray(value) ? value : [];
  const count = numberText(rows.length);
  const add = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  function focusRow(index: number, selector: string): void {
    // The row is there after the next drawing.
    requestAnimationFrame(() => {
      const row = list.current?.children[index];
      const target = row?.querySelector<HTMLElement>(selector);
      (target ?? add.current)?.focus();
    });
  }

  function move(index: number, by: 1 | -1): void {
    const moved = [...rows];
    const [row] = moved.splice(index, 1);
    moved.splice(index + by, 0, row as JsonValue);
    set(moved);
    const isAtEnd = by === 1 ? index + by === rows.length - 1 : index + by === 0;
    // The pressed button is disabled at the end of the list, so the focus moves to its neighbour.
    const down = (by === 1) !== isAtEnd;
    focusRow(index + by, `[data-act="${down ? 'down' : 'up'}"]`);
  }

  return (
    <Fieldset legend={title} p="sm">
      <Stack gap="xs">
        {description !== undefined && (
          <Text size="xs" c="dimmed">
            <Words>{description}</Words>
          </Text>
        )}
        {head}
        {error !== undefined && (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
        {rows.length === 0 && (
          <Text size="sm" c="dimmed">
            {empty}
          </Text>
        )}
        <Stack gap="xs" ref={list}>
          {rows.slice(0, MOST_SHOWN).map((row, index) => (
            <Paper
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
              key={index}
              withBorder
              p="xs"
              role="group"
              aria-label={words.row(index + 1)}
            >
              <Group justify="space-between" mb={4} wrap="nowrap">
                <Group gap="xs" wrap="nowrap">
                  <Text size="xs" c="dimmed" miw={12}>
                    {index + 1}
                  </Text>
                  {isObject(row) && rowHead?.([...path, index], row)}
                </Group>
                {!isReadOnly && (
                  <RowActions
                    label={words.row(index + 1)}
                    isFirst={index === 0}
                    isLast={index === rows.length - 1}
                    onMove={(by) => move(index, by)}
                    onRemove={() => {
                      set(rows.filter((_row, other) => other !== index));
                      focusRow(Math.min(index, rows.length - 2), '[data-act="remove"]');
                    }}
                  />
                )}
              </Group>
              {isObject(row) ? (
                children([...path, index], row)
              ) : (
                <Text size="sm" c="red">
                  <Trans>This is not an object. Change it in the document, or remove it.</Trans>
                </Text>
              )}
            </Paper>
          ))}
        </Stack>
        {rows.length > MOST_SHOWN && (
          <Text size="sm" c="dimmed">
            <Trans>All {count} are in the document of this form.</Trans>
          </Text>
        )}
        {!isReadOnly && rows.length <= MOST_SHOWN && (
          <div>
            <Button
              ref={add}
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => {
                set([...rows, newRow]);
                focusRow(rows.length, 'input, textarea, select');
              }}
            >
              {words.add}
            </Button>
          </div>
        )}
      </Stack>
    </Fieldset>
  );
}
