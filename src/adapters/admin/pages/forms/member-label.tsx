import { Text } from '@mantine/core';

/** What a member is called in words, and small behind it the key that documents have for it. */
export function MemberLabel({ title, name }: { readonly title: string; readonly name: string }) {
  if (title === '' || title === name) return name;
  return (
    <>
      {title}{' '}
      <Text span inherit fz="0.85em" fw={400} c="dimmed" ff="monospace">
        {name}
      </Text>
    </>
  );
}
