import { Kbd, Modal, Switch, Table, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { setPreferences, usePreferences } from '../parts/preferences.ts';
import { SECTIONS } from '../shell/navigation.ts';

interface ShortcutsHelpProps {
  readonly onClose: () => void;
}

/** What can be done by keys. */
export function ShortcutsHelp({ onClose }: ShortcutsHelpProps) {
  const session = useSession();
  const { shortcuts } = usePreferences();
  const rows: readonly (readonly [readonly string[], string])[] = [
    [['Ctrl', 'K'], 'Find a page, host, rule, account or action'],
    [['/'], 'Go to the search field of the page'],
    [['t'], 'Show exact times, or how long ago'],
    [['?'], 'Show these shortcuts'],
    [['Esc'], 'Close what is open'],
    ...SECTIONS.filter(({ operation }) => operation === undefined || may(session, operation)).map(
      ({ key, label }) => [['g', key], `Go to ${label}`] as const,
    ),
  ];
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" centered>
      <Table aria-label="Keyboard shortcuts" verticalSpacing={4}>
        <Table.Tbody>
          {rows.map(([keys, text]) => (
            <Table.Tr key={text}>
              <Table.Th scope="row" w={110}>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label="Single-key shortcuts"
        checked={shortcuts === 'on'}
        onChange={({ currentTarget }) => setPreferences({ shortcuts: currentTarget.checked ? 'on' : 'off' })}
      />
      <Text size="xs" c="dimmed" mt={4}>
        Ctrl K works either way. On a Mac, use Cmd instead of Ctrl.
      </Text>
    </Modal>
  );
}
