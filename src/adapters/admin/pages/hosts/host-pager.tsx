import { t } from '@lingui/core/macro';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import type { OfferedOutput } from '../../offered-operations.ts';
import { numberText } from '../language/numbers.ts';
import { PAGE_SIZES } from './search.ts';

const route = getRouteApi('/hosts');

interface HostPagerProps {
  readonly page: OfferedOutput<'search/search-hosts'>;
  /** Of a search, when it is known. */
  readonly count?: OfferedOutput<'search/count-hosts'> | undefined;
  readonly place: 'above' | 'below';
}

/** How many there are, and the ways to the pages beside this one. */
export function HostPager({ page, count, place }: HostPagerProps) {
  const { after, rows = PAGE_SIZES[0] } = route.useSearch();
  const navigate = route.useNavigate();
  const visited = visitedOf(useLocation().state);
  const { next, hosts } = page;

  function go(cursor: string | undefined, before: readonly string[]): void {
    void navigate({
      search: (now) => ({ ...now, after: cursor }),
      state: (now) => ({ ...now, [STATE]: before }),
      resetScroll: place === 'below',
    });
  }

  return (
    <Group
      justify="space-between"
      my="xs"
      {...(place === 'above' ? {} : { component: 'nav', 'aria-label': t`Pages of hosts, below` })}
    >
      <Text size="sm" c="dimmed" role={place === 'above' ? 'status' : undefined}>
        {place === 'above' ? summary(page, rows, count, after !== undefined) : ''}
      </Text>
      {(after !== undefined || next !== null || hosts.length > PAGE_SIZES[0]) && (
        <Group gap="xs">
          {place === 'above' && (
            <NativeSelect
              size="xs"
              aria-label={t`Hosts on a page`}
              data={PAGE_SIZES.map((size) => ({ value: String(size), label: t`${size} a page` }))}
              value={String(rows)}
              onChange={({ currentTarget: { value } }) => {
                const chosen = PAGE_SIZES.find((size) => String(size) === value);
                void navigate({
                  search: (now) => ({ ...now, rows: chosen === PAGE_SIZES[0] ? undefined : chosen }),
                  resetScroll: false,
                });
              }}
            />
          )}
          <PagerButton
            label={visited.length > 0 || after === undefined ? t`Previous` : t`First page`}
            isOff={after === undefined}
            onClick={() => go(visited.at(-1) || undefined, visited.slice(0, -1))}
          />
          <PagerButton
            label={t`Next`}
            isOff={next === null}
            onClick={() => next !== null && go(next, [...visited, after ?? ''])}
          />
        </Group>
      )}
    </Group>
  );
}

interface PagerButtonProps {
  readonly label: string;
  /** Stays where it is, so that the focus does too. */
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function PagerButton({ label, isOff, onClick }: PagerButtonProps) {
  return (
    <Button size="xs" variant="default" aria-disabled={isOff} data-disabled={isOff} onClick={() => !isOff && onClick()}>
      {label}
    </Button>
  );
}

function summary(
  { size, next, hosts }: HostPagerProps['page'],
  rows: number,
  count: HostPagerProps['count'],
  isLater: boolean,
): string {
  const found = numberText(count?.size ?? hosts.length);
  if (count !== undefined) return count.is_exact ? t`${found} found` : t`${found} found, and more`;
  if (size !== null) {
    const all = numberText(size);
    return t`${all} in all`;
  }
  if (hosts.length < rows && next !== null) return t`Searched up to ${next}; the next page continues`;
  if (next !== null) return t`${found} found, and more on the next page`;
  return isLater ? t`${found} found on this last page` : t`${found} found`;
}

const STATE = 'hostPages';

/** Where the pages before this one begin, as far as they were looked at: a cursor leads forward only. */
function visitedOf(state: object): readonly string[] {
  const visited: unknown = (state as Record<string, unknown>)[STATE];
  return Array.isArray(visited) ? visited.filter((cursor) => typeof cursor === 'string') : [];
}
