import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function PageNotFound() {
  return (
    <>
      <Title order={1} size="h2">
        There is no such page
      </Title>
      <Text mt="sm">
        <Anchor component={Link} to="/">
          Back to overview
        </Anchor>
      </Text>
    </>
  );
}
