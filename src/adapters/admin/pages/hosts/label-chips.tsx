import { plural } from '@lingui/core/macro';
import { Badge, Group, Text } from '@mantine/core';
import { valueText } from '../parts/value-text.ts';
import type { Labels } from './host.ts';

const SHOWN = 3;

interface LabelChipsProps {
  readonly labels: Labels;
  /** A label that is shown before the others. */
  readonly first: string | undefined;
}

/** The first labels of a host, and how many more it has. */
export function LabelChips({ labels, first }: LabelChipsProps) {
  const names = Object.keys(labels);
  const shown = names.filter((name) => name === first);
  for (const name of names) {
    if (shown.length === SHOWN) break;
    if (name !== first && labels[name] !== '' && labels[name] !== null) shown.push(name);
  }
  const others = names.filter((name) => !shown.includes(name));
  const rest = others.length;
  return (
    <Group gap={4} miw={140}>
      {shown.map((name) => {
        const text = labelText(labels, name);
        return (
          <Badge key={name} variant="default" radius="sm" tt="none" fw={400} maw={240} title={text}>
            {text}
          </Badge>
        );
      })}
      {rest > 0 && (
        <Text span size="xs" c="dimmed" data-printed={others.map((name) => labelText(labels, name)).join(', ')}>
          <span>{shown.length === 0 ? plural(rest, { one: '# label', other: '# labels' }) : `+${rest}`}</span>
        </Text>
      )}
    </Group>
  );
}

function labelText(labels: Labels, name: string): string {
  return `${name}: ${valueText(labels[name])}`;
}
