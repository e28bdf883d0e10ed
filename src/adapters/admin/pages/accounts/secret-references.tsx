import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { Section } from '../parts/section.tsx';

interface SecretReferencesProps {
  /** `password`, and the options that are secrets. */
  readonly names: readonly string[];
  /** Returns the title in words. */
  readonly title: (name: string) => string;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, reference: string) => void;
  readonly problem: (name: string) => string | undefined;
}

/** References to secrets that are stored elsewhere; folded if all of them are. */
export function SecretReferences({ names, title, values, onChange, problem }: SecretReferencesProps) {
  const isUsed = names.some((name) => (values[name] ?? '') !== '' || problem(name) !== undefined);
  return (
    <Section title={t`Secrets kept elsewhere`}>
      <details {...(isUsed && { open: true })}>
        <summary style={{ fontSize: 'var(--mantine-font-size-sm)' }}>
          <Trans>References instead of secrets</Trans>
        </summary>
        <Stack gap="xs" mt="sm">
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
                label={t`${{ secret: title(name) }} from`}
                name={`secrets_from.${name}`}
                value={values[name] ?? ''}
                onChange={({ currentTarget: { value } }) => onChange(name, value)}
                error={problem(name)}
                autoComplete="off"
              />
            ))}
          </SimpleGrid>
        </Stack>
      </details>
    </Section>
  );
}
