import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';

interface TurnPagesProps {
  /** What the pages are of, for screen readers: `the log`. */
  readonly of: string;
  /** Said at the left of the buttons. */
  readonly note: string;
  /** Where this page begins; absent: at the beginning of the list. */
  readonly place: string | undefined;
  /** Where the next page begins; `null` at the end. */
  readonly next: string | null;
  readonly words?: { readonly first: string; readonly back: string; readonly on: string };
  /** Goes to the page that begins there, with this state of the address. */
  readonly go: (place: string | undefined, state: (now: object) => object) => void;
}

const STATE = 'turnedPages';
const WORDS = { first: t`First page`, back: t`Previous`, on: t`Next` };
/** The words of lists that begin with what is newest. */
export const NEWEST_FIRST = { first: t`Newest`, back: t`Newer`, on: t`Older` };

/** The ways to the pages beside this one, of a list that is read forward only. The buttons stay where they are, so that the focus does too. */
export function TurnPages({ of, note, place, next, words = WORDS, go }: TurnPagesProps) {
  const visited = visitedOf(useLocation().state);

  function turn(to: string | undefined, passed: readonly string[]): void {
    go(to, (now) => ({ ...now, [STATE]: passed }));
  }

  return (
    <Group component="nav" aria-label={t`Pages of ${of}`} justify="space-between" mt="sm">
      <Text size="sm" c="dimmed">
        {note}
      </Text>
      <Group gap="xs">
        <TurnButton
          label={place === undefined || visited.length > 0 ? words.back : words.first}
          isOff={place === undefined}
          onClick={() => turn(visited.at(-1) || undefined, visited.slice(0, -1))}
        />
        <TurnButton
          label={words.on}
          isOff={next === null}
          onClick={() => next !== null && turn(next, [...visited, place ?? ''])}
        />
      </Group>
    </Group>
  );
}

interface TurnButtonProps {
  readonly label: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function TurnButton({ label, isOff, onClick }: TurnButtonProps) {
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

/** Where the pages before this one begin, as far as they were looked at: a place leads forward only. */
function visitedOf(state: object): readonly string[] {
  const visited: unknown = (state as Record<string, unknown>)[STATE];
  return Array.isArray(visited) ? visited.filter((place) => typeof place === 'string') : [];
}
