import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { useAnswer } from '../calls/use-call.ts';
import type { GroupValues } from './group-values.ts';

type JobsForm = Pick<
  UseFormReturnType<GroupValues>,
  | 'values'
  | 'getInputProps'
  | 'getInputNode'
  | 'setFieldValue'
  | 'reorderListItem'
  | 'insertListItem'
  | 'removeListItem'
>;

/** The jobs of a group, in order. */
export function GroupJobs({ form }: { readonly form: JobsForm }) {
  const registered = useAnswer('cron/list-jobs', {});
  const accounts = useAnswer('accounts/list-accounts', {});
  const names = accounts.data?.accounts.map(({ name }) => name) ?? [];
  const types = registered.data?.jobs ?? [];
  const { jobs } = form.values;
  const addButton = useRef<HTMLButtonElement>(null);
  return (
    <Fieldset legend={t`Jobs, in this order`}>
      <Stack gap="sm">
        {jobs.length === 0 && (
          <Text size="sm" c="dimmed">
            <Trans>Without a job a run does nothing.</Trans>
          </Text>
        )}
        {jobs.map((job, index) => {
          const type = types.find(({ command }) => command.toLowerCase() === job.command.toLowerCase());
          const number = index + 1;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields are bound to the place
            <Stack key={index} gap={4} role="group" aria-label={t`Job ${number}`}>
              <Group align="flex-start" gap="xs" wrap="wrap">
                <Select
                  label={t`Job ${number}`}
                  placeholder={t`Choose a job`}
                  searchable
                  required
                  flex={1}
                  miw={170}
                  data={withChosen(
                    // Those of one system, such as "NetBox: …", come after those of all.
                    types.map(({ command }) => command).sort((a, b) => +a.includes(': ') - +b.includes(': ')),
                    job.command,
                  )}
                  {...form.getInputProps(`jobs.${index}.command`)}
                  value={job.command === '' ? null : job.command}
                  onChange={(command) => form.setFieldValue(`jobs.${index}.command`, command ?? '')}
                />
                {(type?.needs_account ?? job.command !== '') && (
                  <Select
                    label={t`Account of job ${number}`}
                    placeholder={t`Choose an account`}
                    searchable
                    clearable
                    required={type?.needs_account ?? false}
                    flex={1}
                    miw={170}
                    data={withChosen(names, job.account ?? '')}
                    {...form.getInputProps(`jobs.${index}.account`)}
                    value={job.account}
                    onChange={(account) => form.setFieldValue(`jobs.${index}.account`, account)}
                  />
                )}
                <TextInput
                  label={t`Note on job ${number}`}
                  flex={1}
                  miw={120}
                  {...form.getInputProps(`jobs.${index}.name`)}
                />
                <Group gap={4} mt={{ base: 0, sm: 25 }} wrap="nowrap">
                  <ActionIcon
                    variant="default"
                    size="lg"
                    aria-label={t`Move job ${number} up`}
                    disabled={index === 0}
                    onClick={() => form.reorderListItem('jobs', { from: index, to: index - 1 })}
                  >
                    <IconArrowUp size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="default"
                    size="lg"
                    aria-label={t`Move job ${number} down`}
                    disabled={index === jobs.length - 1}
                    onClick={() => form.reorderListItem('jobs', { from: index, to: index + 1 })}
                  >
                    <IconArrowDown size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="default"
                    size="lg"
                    c="red"
                    aria-label={t`Remove job ${number}`}
                    onClick={() => {
                      form.removeListItem('jobs', index);
                      addButton.current?.focus();
                    }}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              </Group>
              {type !== undefined && (
                <Text size="xs" c="dimmed">
                  {type.description}
                </Text>
              )}
            </Stack>
          );
        })}
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            ref={addButton}
            onClick={() => {
              form.insertListItem('jobs', { name: '', command: '', account: null });
              requestAnimationFrame(() => form.getInputNode(`jobs.${jobs.length}.command`)?.focus());
            }}
          >
            <Trans>Add a job</Trans>
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** Returns the choices including the current one, which another plugin or another spelling may have added. */
function withChosen(choices: readonly string[], chosen: string): string[] {
  return chosen === '' || choices.includes(chosen) ? [...choices] : [chosen, ...choices];
}
