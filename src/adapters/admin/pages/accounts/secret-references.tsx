import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Fieldset, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';

interface SecretReferencesProps {
  /** `password`, and the options that are secrets. */
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, reference: string) => void;
  readonly problem: (name: string) => string | undefined;
}

/** Where secrets are kept that are not stored here. */
export function SecretReferences({ names, values, onChange, problem }: SecretReferencesProps) {
  return (
    <Fieldset legend={t`Secrets kept elsewhere`}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          <Trans>
            A reference instead of a secret: vault:secret/data/netbox#token, file:netbox-token,
            env:MUSTER_SECRET_NETBOX. It is read when it is needed, and never stored here.
          </Trans>
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
          {names.map((name) => (
            <TextInput
              key={name}
              label={name === 'password' ? t`Password from` : t`${name} from`}
              name={`secrets_from.${name}`}
              value={values[name] ?? ''}
              onChange={({ currentTarget: { value } }) => onChange(name, value)}
              error={problem(name)}
              autoComplete="off"
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
