import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NumberInput, PasswordInput, Radio, Stack, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CallError } from '../calls/call.ts';
import { useAction } from '../calls/use-call.ts';
import { Problem } from '../parts/problem.tsx';
import { showOnce } from '../parts/show-once.tsx';
import type { ShownGroup } from './group-state.tsx';

interface PolicyFormProps {
  readonly name: string;
  readonly policy: ShownGroup['policy'];
  readonly onDone: () => void;
}

/** Form for the requirements on a signed call. */
export function PolicyForm({ name, policy, onDone }: PolicyFormProps) {
  const save = useAction('cron/set-policy', { changes: ['cron'], showsProblem: true });
  const form = useForm({
    initialValues: {
      secret: policy === null ? 'generate' : 'keep',
      own: '',
      window: policy?.window_seconds ?? 300,
      networks: [...(policy?.allow_ips ?? [])],
    },
    validate: {
      own: (own, { secret }) => (secret === 'own' && own === '' ? t`Enter a secret` : null),
      window: (window) => (typeof window === 'number' ? null : t`Enter seconds`),
    },
  });

  const submit = form.onSubmit(({ secret, own, window, networks }) =>
    save.mutate(
      {
        group_name: name,
        generate: secret === 'generate',
        ...(secret === 'own' ? { secret: own } : {}),
        window_seconds: window,
        allow_ips: networks,
      },
      {
        onSuccess: ({ secret: generated }) => {
          onDone();
          if (generated === undefined) return;
          showOnce({
            title: t`Signing secret of ${name}`,
            label: t`secret`,
            value: generated,
            text: t`It is shown only once. Calls are signed with it; the secret itself is never sent.`,
          });
        },
      },
    ),
  );

  const networksProblem = networksProblemOf(save.error);

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {save.isError && networksProblem === undefined && <Problem error={save.error} />}
        <Radio.Group label={t`Signing secret`} {...form.getInputProps('secret')}>
          <Stack gap={6} mt={6}>
            {policy !== null && <Radio value="keep" label={t`Keep the current one`} />}
            <Radio
              value="generate"
              label={policy === null ? t`Generate one` : t`Generate a new one; the current one stops working at once`}
            />
            <Radio value="own" label={t`Enter my own`} />
          </Stack>
        </Radio.Group>
        {form.values.secret === 'own' && (
          <PasswordInput
            label={t`Secret`}
            description={t`With fewer than 16 characters, who sees a signed call may find it by trying`}
            autoComplete="off"
            {...form.getInputProps('own')}
          />
        )}
        <NumberInput
          label={t`Window in seconds`}
          description={t`How far the time of a call may be off, before or after`}
          min={1}
          max={86_400}
          allowDecimal={false}
          {...form.getInputProps('window')}
        />
        <TagsInput
          label={t`Addresses that may call`}
          description={t`Addresses or networks such as 10.20.0.0/16, each followed by Enter; none for all`}
          acceptValueOnBlur
          {...form.getInputProps('networks')}
          error={networksProblem}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" loading={save.isPending}>
            <Trans>Save policy</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function networksProblemOf(error: CallError | null): string | undefined {
  const problem = error?.details.find(({ path }) => path.startsWith('webhook_policy.allow_ips.'));
  return problem === undefined ? undefined : t`Each ${{ problem: problem.message }}`;
}
