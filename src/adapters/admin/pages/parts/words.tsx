import { Code } from '@mantine/core';

/** Shows a text of the documentation, with code for parts between backticks. */
export function Words({ children }: { readonly children: string }) {
  const parts = children.split('`');
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text
  return parts.map((part, index) => (index % 2 === 1 ? <Code key={index}>{part}</Code> : part));
}
