import { Badge } from '@mantine/core';

export type Tone = 'good' | 'bad' | 'warning' | 'busy' | 'quiet';

const COLOURS: Readonly<Record<Tone, string>> = {
  good: 'green',
  bad: 'red',
  warning: 'orange',
  busy: 'cyan',
  quiet: 'gray',
};

interface StatusBadgeProps {
  readonly tone: Tone;
  readonly children: string;
  readonly title?: string;
}

/** Shows a state in a word or two. Bad ones are highlighted. */
export function StatusBadge({ tone, children, title = '' }: StatusBadgeProps) {
  return (
    <Badge
      component="span"
      color={COLOURS[tone]}
      variant={tone === 'bad' ? 'filled' : 'light'}
      w="max-content"
      title={title}
    >
      {children}
    </Badge>
  );
}
