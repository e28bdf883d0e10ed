import { Anchor, Box, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** The pages above this one. */
  readonly above?: readonly { readonly to: string; readonly label: string }[];
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Title, way back and actions of a page, and what is on it. */
export function Page({ title, description, above = [], actions, children }: PageProps) {
  useDocumentTitle(`${title} · Muster`);
  return (
    <Stack gap="md">
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
        <Box flex="1 1 20rem" miw={0}>
          <Title order={1} size="h2" className="wrap-anywhere">
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
