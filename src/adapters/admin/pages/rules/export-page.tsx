import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Fieldset, NativeSelect, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { CallError } from '../calls/call.ts';
import { download } from '../calls/download.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { TickBox } from '../parts/tick-box.tsx';
import { Command } from '../parts/value.tsx';
import { grouped, useRuleTypes } from './rule-type.ts';

const route = getRouteApi('/rules/export');

const FLAGS = [
  {
    name: 'include_hosts',
    option: '--include-hosts',
    label: t`Hosts and objects`,
    text: t`With everything that is stored about them.`,
  },
  {
    name: 'include_accounts',
    option: '--include-accounts',
    label: t`Accounts`,
    text: t`Their secrets stay encrypted with the instance key.`,
  },
  {
    name: 'include_users',
    option: '--include-users',
    label: t`Users`,
    text: t`With hashes of passwords and tokens: keep the file secret.`,
  },
  {
    name: 'include_passwords',
    option: '--include-passwords',
    label: t`Monitoring passwords`,
    text: t`Encrypted with the instance key: keep the file secret.`,
  },
] as const;

type Flag = (typeof FLAGS)[number]['name'];

/** Rules as a file that can be imported again. */
export function ExportPage() {
  const { type } = route.useSearch();
  const navigate = route.useNavigate();
  const types = useRuleTypes().data?.types ?? [];
  const [flags, setFlags] = useState<readonly Flag[]>([]);
  const save = useMutation<void, CallError>({
    mutationFn() {
      const day = new Date().toISOString().slice(0, 10);
      if (type !== undefined) return download('rules/list-rules', { rule_type: type }, `${type}-${day}.json`);
      const input = Object.fromEntries(flags.map((flag) => [flag, true]));
      return download('rules/export-rules', input, `rules-${day}.json`);
    },
  });
  const options = FLAGS.filter(({ name }) => flags.includes(name)).map(({ option }) => option);
  const command = ['muster rules export', ...(type === undefined ? options : [type])].join(' ');
  const isSecret =
    type === undefined
      ? flags.includes('include_users') || flags.includes('include_passwords')
      : type === 'users' || type === 'cmk_passwords';
  return (
    <Page title={t`Export rules`} above={[{ to: '/rules', label: t`Rules` }]} isNarrow>
      <Stack>
        <NativeSelect
          label={t`Rules to export`}
          data={[
            { value: '', label: t`All rules` },
            ...grouped(types).map(({ title, types: members }) => ({
              group: title,
              items: members.map(({ id, title: label }) => ({ value: id, label: `${label} (${id})` })),
            })),
          ]}
          value={type ?? ''}
          onChange={(event) =>
            void navigate({ search: { type: event.currentTarget.value || undefined }, replace: true })
          }
        />
        {type === undefined && (
          <Fieldset legend={t`Also`}>
            <Stack gap="sm">
              {FLAGS.map(({ name, label, text }) => (
                <TickBox
                  key={name}
                  label={label}
                  description={text}
                  checked={flags.includes(name)}
                  onChange={(event) =>
                    setFlags(event.currentTarget.checked ? [...flags, name] : flags.filter((flag) => flag !== name))
                  }
                />
              ))}
              {flags.length === FLAGS.length && (
                <Text size="sm">
                  <Trans>With all of these the file is a full backup.</Trans>
                </Text>
              )}
            </Stack>
          </Fieldset>
        )}
        {isSecret && (
          <Alert color="yellow">
            <Trans>This file will contain secrets: keep it where others cannot read it.</Trans>
          </Alert>
        )}
        {save.isError && <Problem error={save.error} />}
        <div>
          <Button
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            <Trans>Download</Trans>
          </Button>
        </div>
        <Text size="sm" c="dimmed">
          <Trans>
            The same on the command line: <Command>{command}</Command>
          </Trans>
        </Text>
      </Stack>
    </Page>
  );
}
