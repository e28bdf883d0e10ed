import { Trans } from '@lingui/react/macro';
import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function PageNotFound() {
  return (
    <>
      <Title order={1} size="h2">
        <Trans>There is no such page</Trans>
      </Title>
      <Text mt="sm">
        <Anchor component={Link} to="/">
          <Trans>Back to overview</Trans>
        </Anchor>
      </Text>
    </>
  );
}
