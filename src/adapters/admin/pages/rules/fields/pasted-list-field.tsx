import { t } from '@lingui/core/macro';
import { Stack, Text, Textarea } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { withCell } from '../../../../../app/rules/document/pasted-cell.ts';
import { type PastedList, readPastedList, rowName } from '../../../../../app/rules/document/pasted-list.ts';
import { textOf } from '../../forms/document.ts';
import { useMember } from '../../forms/draft.ts';
import { numberText } from '../../language/numbers.ts';
import { ListTable } from './list-table.tsx';

/** A table to paste as text, and below it what it is read as; both can be typed in. */
export function PastedListField() {
  const { value, error, isReadOnly, set } = useMember(['list_source']);
  const text = textOf(value);
  // Ten thousand rows are read between two strokes of a key, but not before the first is seen.
  const seen = useDeferredValue(text);
  const list = useMemo(() => readPastedList(seen), [seen]);
  const isEmpty = seen.trim() === '';
  const problems = isEmpty ? [] : list.problems;
  return (
    <Stack gap={6}>
      <Textarea
        label={t`Pasted list (list_source)`}
        description={t`Paste a table out of a spreadsheet. Its first line names the columns, and each column is a variable: Service Level is {{ service_level }}.`}
        size="xs"
        rows={6}
        spellCheck={false}
        wrap="off"
        placeholder={t`hostname;Service Level
pdu1.example.org;gold`}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', resize: 'vertical' } }}
        value={text}
        error={problems.length > 0 ? problems.map((problem) => <div key={problem}>{problem}</div>) : error}
        readOnly={isReadOnly}
        onChange={(event) => set(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed" role="status">
        {isEmpty ? t`There are no rows yet.` : summary(list)}
      </Text>
      {list.rows.length > 0 && (
        <ListTable
          list={list}
          isReadOnly={isReadOnly}
          onCell={(line, column, cell) => set(withCell(text, line, column, cell))}
        />
      )}
    </Stack>
  );
}

const SEPARATORS: Readonly<Record<string, string>> = { '\t': 'tabs', ';': 'semicolons', ',': 'commas', '|': 'bars' };
/** So many lines are named. */
const NAMED = 5;

function summary({ columns, rows, separator }: PastedList): string {
  const counted = `${many(rows.length, 'row')}, ${many(columns.length, 'column')}`;
  const between = columns.length > 1 ? t`, separated by ${SEPARATORS[separator] ?? separator}` : '';
  const nameless = rows.filter((row) => rowName(row) === '').map(({ line }) => line);
  if (nameless.length === 0) return `${counted}${between}.`;
  const lines = `${nameless.slice(0, NAMED).join(', ')}${nameless.length > NAMED ? ', …' : ''}`;
  return t`${counted}${between}. ${numberText(nameless.length)} without a hostname or name, which make nothing (${nameless.length === 1 ? 'line' : 'lines'} ${lines}).`;
}

function many(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}
