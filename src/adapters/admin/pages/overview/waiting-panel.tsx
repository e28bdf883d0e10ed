import { Group, Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { TextLink } from '../parts/links.tsx';
import { ConfirmButton } from '../parts/waiting.tsx';
import { When } from '../parts/when.tsx';
import { OverviewPanel } from './overview-panel.tsx';

type WaitingDocument = OfferedOutput<'rules/list-waiting'>['waiting'][number];

const MOST = 10;

/** Documents that do nothing before an administrator confirms them; no panel where there are none. */
export function WaitingPanel() {
  const answer = useAnswer('rules/list-waiting', { limit: MOST }, { everySeconds: 30 });
  const { waiting = [], more = false } = answer.data ?? {};
  if (waiting.length === 0) return null;
  return (
    <OverviewPanel title="Waiting for an administrator" problems={waiting.length}>
      <Stack gap={6} component="ul" className="plain-list">
        {waiting.map((document) => (
          <Group key={`${document.rule_type} ${document.id}`} component="li" justify="space-between" wrap="nowrap">
            <Text size="sm" className="wrap-anywhere">
              <DocumentLink document={document} />{' '}
              <Text span inherit c="dimmed">
                {document.acts.join(', ')}; by {document.changed_by}, <When at={document.changed_at} />
              </Text>
            </Text>
            <ConfirmButton {...document} />
          </Group>
        ))}
      </Stack>
      {more && <Text size="sm">and more: muster rules waiting</Text>}
    </OverviewPanel>
  );
}

/** Where the document is read. */
function DocumentLink({ document: { rule_type, id, name, title } }: { readonly document: WaitingDocument }) {
  const text = `${title}: ${name}`;
  switch (rule_type) {
    case 'accounts':
      return (
        <TextLink inherit to="/accounts/$name" params={{ name }}>
          {text}
        </TextLink>
      );
    case 'users':
      return (
        <TextLink inherit to="/users/$name" params={{ name }}>
          {text}
        </TextLink>
      );
    case 'cron_groups':
      return (
        <TextLink inherit to="/cron/$group" params={{ group: name }}>
          {text}
        </TextLink>
      );
    default:
      return (
        <TextLink inherit to="/rules/$type/$id" params={{ type: rule_type, id }}>
          {text}
        </TextLink>
      );
  }
}
