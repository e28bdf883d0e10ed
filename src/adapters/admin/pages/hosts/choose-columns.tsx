import { Box, Button, Group, Modal, Stack, TagsInput } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { DEFAULT_COLUMNS } from './use-host-columns.ts';

interface ChooseColumnsProps {
  readonly columns: readonly string[];
  readonly choose: (columns: readonly string[]) => void;
  /** Of labels, the most frequent first. */
  readonly labels: readonly string[];
}

const OWN = ['account', 'type', 'state', 'seen', 'changed', 'created', 'archived', 'template', 'folder', 'labels'];

/** Any field of the search language may be a column. */
export function ChooseColumns({ columns, choose, labels }: ChooseColumnsProps) {
  const [draft, setDraft] = useState<readonly string[]>();
  const close = (): void => setDraft(undefined);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconColumns3 size={14} aria-hidden />}
        onClick={() => setDraft(columns)}
      >
        Columns
      </Button>
      <Modal opened={draft !== undefined} onClose={close} title="Columns">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            choose(draft ?? []);
            close();
          }}
        >
          <Stack>
            {/* The list of choices opens over the room below the field, not over the buttons. */}
            <Box mih={330}>
              <TagsInput
                label="Fields besides the hostname, in their order"
                description="Choose, or write any label or place in the inventory, such as facts.os, and press Enter"
                data={[
                  { group: 'Host', items: OWN },
                  { group: 'Labels', items: labels.filter((label) => !OWN.includes(label)) },
                ]}
                value={[...(draft ?? [])]}
                onChange={setDraft}
                clearable
                maxDropdownHeight={210}
                data-autofocus
              />
            </Box>
            <Group justify="space-between">
              <Button variant="default" onClick={() => setDraft(DEFAULT_COLUMNS)}>
                As at first
              </Button>
              <Button type="submit">Show</Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
