import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { List, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../../../ports/index.ts';
import type { OfferedOutput } from '../../../offered-operations.ts';
import { type CallError, call } from '../../calls/call.ts';
import type { Path } from '../../forms/document.ts';
import { ChangeWords } from '../../hosts/explain/change-words.tsx';
import { HostField } from '../../hosts/host-field.tsx';
import type { RuleTypeInfo } from '../rule-type.ts';
import { templateTrial } from './template-trial.ts';

type Tried = OfferedOutput<'rules/try-rule'>;

interface TemplateResultProps {
  readonly type: RuleTypeInfo;
  readonly document: JsonObject;
  readonly path: Path;
}

/** Shows the template's result on a chosen host, a moment after each key. */
export function TemplateResult({ type, document, path }: TemplateResultProps) {
  const [hostname, setHostname] = useLocalStorage({
    key: 'muster-template-host',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const [input] = useDebouncedValue(
    { rule_type: type.id, document: templateTrial(document, path), hostname: hostname.trim() },
    300,
  );
  const tried = useQuery<Tried, CallError>({
    queryKey: ['rules/try-rule', 'template', input],
    queryFn: ({ signal }) => call('rules/try-rule', input, signal),
    enabled: input.hostname !== '',
    retry: false,
    placeholderData: (before) => before,
  });
  return (
    <Stack gap="xs">
      <HostField label={t`Result on host`} value={hostname} onChange={setHostname} size="sm" />
      <div aria-live="polite" className="template-result">
        {hostname.trim() === '' ? (
          <Text size="sm" c="dimmed">
            <Trans>Choose a host to see what the template gives on it.</Trans>
          </Text>
        ) : tried.isError ? (
          <Text size="sm" c="red" className="wrap-anywhere">
            {tried.error.details[0]?.message ?? tried.error.message}
          </Text>
        ) : (
          tried.data !== undefined && <Result tried={tried.data} />
        )}
      </div>
    </Stack>
  );
}

function Result({ tried: { rule } }: { readonly tried: Tried }) {
  if (rule === null || rule.outcome === 'left') {
    return (
      <Text size="sm" c="dimmed">
        <Trans>The rule is not run on this host.</Trans>
      </Text>
    );
  }
  if (rule.errors.length > 0) {
    return (
      <List size="sm" c="red" className="wrap-anywhere">
        {rule.errors.map((error) => (
          <List.Item key={error}>{error}</List.Item>
        ))}
      </List>
    );
  }
  if (rule.changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {rule.outcome === 'hit' ? t`It changes nothing on this host.` : t`The condition does not hold on this host.`}
      </Text>
    );
  }
  return (
    <List size="sm" className="wrap-anywhere">
      {rule.changes.map((change) => (
        <List.Item key={`${change.what} ${change.name}`}>
          <ChangeWords change={change} />
        </List.Item>
      ))}
    </List>
  );
}
