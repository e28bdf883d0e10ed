import { Button, Group, Text } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';

interface OlderNewerProps {
  /** The page of the log that this is. */
  readonly to: '/logs' | '/logs/audit';
  /** Where this page begins; absent: with the newest entry. */
  readonly before: string | undefined;
  /** Where older entries begin; `null` when there are none. */
  readonly next: string | null;
  /** Said when there are older entries, but fewer here than a page holds. */
  readonly note: string;
}

const STATE = 'logPages';

/** The ways to older entries and back. The buttons stay where they are, so that the focus does too. */
export function OlderNewer({ to, before, next, note }: OlderNewerProps) {
  const navigate = useNavigate();
  const visited = visitedOf(useLocation().state);

  function go(place: string | undefined, passed: readonly string[]): void {
    void navigate({
      to,
      search: (now: object) => ({ ...now, before: place }),
      state: (now) => ({ ...now, [STATE]: passed }),
    });
  }

  return (
    <Group component="nav" aria-label="Pages of the log" justify="space-between" mt="sm">
      <Text size="sm" c="dimmed">
        {next === null ? 'There are no older entries.' : note}
      </Text>
      <Group gap="xs">
        <GoButton
          label={before === undefined || visited.length > 0 ? 'Newer' : 'Newest'}
          isOff={before === undefined}
          onClick={() => go(visited.at(-1) || undefined, visited.slice(0, -1))}
        />
        <GoButton
          label="Older"
          isOff={next === null}
          onClick={() => next !== null && go(next, [...visited, before ?? ''])}
        />
      </Group>
    </Group>
  );
}

interface GoButtonProps {
  readonly label: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function GoButton({ label, isOff, onClick }: GoButtonProps) {
  return (
    <Button
      size="xs"
      variant="default"
      aria-disabled={isOff}
      {...(isOff && { 'data-disabled': true })}
      onClick={() => !isOff && onClick()}
    >
      {label}
    </Button>
  );
}

/** Where the pages before this one begin, as far as they were looked at: a place leads to what is older only. */
function visitedOf(state: object): readonly string[] {
  const visited: unknown = (state as Record<string, unknown>)[STATE];
  return Array.isArray(visited) ? visited.filter((place) => typeof place === 'string') : [];
}
