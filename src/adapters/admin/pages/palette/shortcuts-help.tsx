import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Kbd, Modal, Switch, Table, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { setPreferences, usePreferences } from '../parts/preferences.ts';
import { SECTIONS } from '../shell/navigation.ts';

interface ShortcutsHelpProps {
  readonly onClose: () => void;
}

/** Shows the keyboard shortcuts. */
export function ShortcutsHelp({ onClose }: ShortcutsHelpProps) {
  const session = useSession();
  const { shortcuts } = usePreferences();
  const rows: readonly (readonly [readonly string[], string])[] = [
    [[t`Ctrl`, 'K'], t`Find a page, host, rule, account or action`],
    [['/'], t`Go to the search field of the page`],
    [['e'], t`Edit the labels of the host that is shown`],
    [['t'], t`Show exact times, or how long ago`],
    [['?'], t`Show these shortcuts`],
    [[t`Esc`], t`Close what is open`],
    ...SECTIONS.filter(({ operation }) => operation === undefined || may(session, operation)).map(
      ({ key, label }) => [['g', key], t`Go to ${label}`] as const,
    ),
  ];
  return (
    <Modal opened onClose={onClose} title={t`Keyboard shortcuts`} centered>
      <Table aria-label={t`Keyboard shortcuts`} verticalSpacing={4}>
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
        label={t`Single-key shortcuts`}
        checked={shortcuts === 'on'}
        onChange={({ currentTarget }) => setPreferences({ shortcuts: currentTarget.checked ? 'on' : 'off' })}
      />
      <Text size="xs" c="dimmed" mt={4}>
        <Trans>Ctrl K works either way. On a Mac, use Cmd instead of Ctrl.</Trans>
      </Text>
    </Modal>
  );
}
