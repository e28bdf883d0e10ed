import { plural, t } from '@lingui/core/macro';
import { Stack, Text, Textarea } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { withCell } from '../../../../../kit/document/pasted-cell.ts';
import { type PastedList, readPastedList, rowName } from '../../../../../kit/document/pasted-list.ts';
import { textOf } from '../../forms/document.ts';
import { useMember } from '../../forms/draft.ts';
import { ListTable } from './list-table.tsx';

/** Field for pasting a table as text, and below it the table as parsed; both can be edited. */
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
        description={t`Paste a table out of a spreadsheet. Its first line names the columns, and each column is a variable: Service Level is ${{ variable: '{{ service_level }}' }}.`}
        size="xs"
        rows={6}
        spellCheck={false}
        wrap="off"
        placeholder={'hostname;Service Level\npdu1.example.org;gold'}
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

const SEPARATORS: Readonly<Record<string, string>> = {
  '\t': t`tabs`,
  ';': t`semicolons`,
  ',': t`commas`,
  '|': t`bars`,
};

/** Number of lines that are named. */
const NAMED = 5;

function summary({ columns, rows, separator }: PastedList): string {
  const counted = [
    plural({ count: rows.length }, { one: '# row', other: '# rows' }),
    plural({ count: columns.length }, { one: '# column', other: '# columns' }),
  ].join(', ');
  const said =
    columns.length > 1
      ? t`${counted}, separated by ${{ separator: SEPARATORS[separator] ?? separator }}.`
      : `${counted}.`;
  const nameless = rows.filter((row) => rowName(row) === '').map(({ line }) => line);
  if (nameless.length === 0) return said;
  const lines = `${nameless.slice(0, NAMED).join(', ')}${nameless.length > NAMED ? ', …' : ''}`;
  const without = plural(
    { count: nameless.length },
    {
      one: `# without a hostname or name, which make nothing (line ${lines}).`,
      other: `# without a hostname or name, which make nothing (lines ${lines}).`,
    },
  );
  return `${said} ${without}`;
}
