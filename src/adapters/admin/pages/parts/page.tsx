import { Anchor, Box, Breadcrumbs, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OfferedName } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** The pages above this one. */
  readonly above?: readonly { readonly to: string; readonly label: string }[];
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** Creates another item of the page's list, for users who may. */
  readonly add?: { readonly to: string; readonly label: string; readonly operation: OfferedName } | undefined;
  /** True for a form or a text, which is not read over the whole window. */
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}

/** Title, way back and actions of a page, and its content. */
export function Page({ title, description, above = [], actions, add, isNarrow = false, children }: PageProps) {
  useDocumentTitle(`${title} · Muster`);
  const session = useSession();
  const mayAdd = add !== undefined && may(session, add.operation);
  return (
    <Stack gap="md" {...(isNarrow && { className: 'page-narrow' })}>
      {above.length > 0 && (
        <Breadcrumbs>
          {above.map(({ to, label }) => (
            <Anchor key={to} component={Link} to={to} size="sm">
              {label}
            </Anchor>
          ))}
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start">
        <Box flex="1 1 12rem" miw={0}>
          <Title order={1} size="h2" className="wrap-anywhere">
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </Box>
        {(actions !== undefined || mayAdd) && (
          <Group gap="xs">
            {actions}
            {mayAdd && (
              <Button component={Link} to={add.to} leftSection={<IconPlus size={16} aria-hidden />}>
                {add.label}
              </Button>
            )}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}
