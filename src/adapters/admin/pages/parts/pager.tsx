import { t } from '@lingui/core/macro';
import { Box, Button, Group, NativeSelect, Text } from '@mantine/core';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { numberText } from '../language/numbers.ts';

interface PagerProps {
  /** Name of the paged items, for screen readers: `rules`. */
  readonly of: string;
  /** Shown at the left of the buttons. */
  readonly note: ReactNode;
  /** True if the note gives the number of results. */
  readonly isCount?: boolean;
  /** False within a part of a page. */
  readonly isSticky?: boolean;
  readonly back: { readonly label?: string; readonly go: (() => void) | undefined };
  readonly on: { readonly label?: string; readonly go: (() => void) | undefined };
  /** Shown between note and buttons. */
  readonly children?: ReactNode;
}

/** Links to the neighbouring pages. The buttons keep their place, so that the focus does too. */
function Pager({ of, note, isCount = false, isSticky = true, back, on, children }: PagerProps) {
  return (
    <Group
      component="nav"
      aria-label={t`Pages of ${of}`}
      justify="space-between"
      gap="xs"
      {...(isSticky && { className: 'pager' })}
    >
      <Text size="sm" c="dimmed" {...(isCount && { role: 'status' })}>
        {note}
      </Text>
      {(back.go !== undefined || on.go !== undefined || children) && (
        <Group gap="xs" className="not-printed">
          {children}
          {(back.go !== undefined || on.go !== undefined) && (
            <Button.Group>
              <TurnButton label={back.label ?? t`Previous`} go={back.go} />
              <TurnButton label={on.label ?? t`Next`} go={on.go} />
            </Button.Group>
          )}
        </Group>
      )}
    </Group>
  );
}

function TurnButton({ label, go }: { readonly label: string; readonly go: (() => void) | undefined }) {
  const isOff = go === undefined;
  return (
    <Button size="xs" variant="default" aria-disabled={isOff} {...(isOff && { 'data-disabled': true })} onClick={go}>
      {label}
    </Button>
  );
}

export interface TurnPagesProps {
  readonly of: string;
  readonly note?: ReactNode;
  /** The member of the address that holds the start of this page; newest first if it is `before`. */
  readonly at: 'before' | 'after';
  /** Start of the next page; `null` at the end. */
  readonly next: string | number | null;
  readonly children?: ReactNode;
}

const STATE = 'turnedPages';

/** Links between the pages of a list that is read forward only; the address holds their places. */
export function TurnPages({ of, note = '', at, next, children }: TurnPagesProps) {
  const navigate = useNavigate();
  const place = (useSearch({ strict: false }) as Readonly<Record<string, string | number | undefined>>)[at];
  const visited = visitedOf(useLocation().state);
  const isNewestFirst = at === 'before';

  function turn(to: string | number | undefined, passed: readonly (string | number)[]): void {
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, [at]: to === '' ? undefined : to }),
      state: (now) => ({ ...now, [STATE]: passed }),
    });
  }

  const hasBack = place === undefined || visited.length > 0;
  return (
    <Pager
      of={of}
      note={note}
      back={{
        label: isNewestFirst ? (hasBack ? t`Newer` : t`Newest`) : hasBack ? t`Previous` : t`First page`,
        go: place === undefined ? undefined : () => turn(visited.at(-1), visited.slice(0, -1)),
      }}
      on={{
        label: isNewestFirst ? t`Older` : t`Next`,
        go: next === null ? undefined : () => turn(next, [...visited, place ?? '']),
      }}
    >
      {children}
    </Pager>
  );
}

/** Returns the starts of the pages before this one, as far as they were visited: a place leads forward only. */
function visitedOf(state: object): readonly (string | number)[] {
  const visited: unknown = (state as Record<string, unknown>)[STATE];
  return Array.isArray(visited)
    ? visited.filter((place) => typeof place === 'string' || typeof place === 'number')
    : [];
}

interface TurnedProps extends TurnPagesProps {
  /** True while the previous page is still shown, because this one is being loaded. */
  readonly isStale: boolean;
  readonly children: ReactNode;
}

/** A page of such a list, with the ways to others below it. */
export function Turned({ isStale, children, ...pages }: TurnedProps) {
  const place = (useSearch({ strict: false }) as Readonly<Record<string, unknown>>)[pages.at];
  return (
    <Box aria-busy={isStale} opacity={isStale ? 0.6 : 1}>
      {children}
      {(pages.next !== null || place !== undefined) && <TurnPages {...pages} />}
    </Box>
  );
}

interface OffsetPagerProps {
  /** Name of the counted items: `rules`. */
  readonly what: string;
  readonly start: number;
  readonly limit: number;
  readonly found: number;
  /** How many there are without any filter. */
  readonly total: number;
  readonly onStart: (start: number) => void;
  readonly isSticky?: boolean;
}

/** Shows the total, and the pages of a list that the service answers from an offset on. */
export function OffsetPager({ what, start, limit, found, total, onStart, isSticky = true }: OffsetPagerProps) {
  const pages = Math.ceil(found / limit);
  const page = Math.floor(start / limit) + 1;
  return (
    <Pager
      of={what}
      note={rangeText({ what, start, limit, found, total })}
      isCount
      isSticky={isSticky}
      back={{ go: page > 1 ? () => onStart((page - 2) * limit) : undefined }}
      on={{ go: page < pages ? () => onStart(page * limit) : undefined }}
    >
      {pages > 2 && (
        <NativeSelect
          size="xs"
          aria-label={t`Page of ${what}`}
          data={Array.from({ length: pages }, (_, index) => ({
            value: String(index + 1),
            label: t`Page ${{ page: numberText(index + 1) }} of ${{ pages: numberText(pages) }}`,
          }))}
          value={String(page)}
          onChange={(event) => onStart((Number(event.currentTarget.value) - 1) * limit)}
        />
      )}
    </Pager>
  );
}

function rangeText({ what, start, limit, found, total }: Omit<OffsetPagerProps, 'onStart'>): string {
  const first = numberText(start + 1);
  const last = numberText(Math.min(start + limit, found));
  const [count, all] = [numberText(found), numberText(total)];
  const isOnePage = found <= limit;
  if (found === total) return isOnePage ? `${count} ${what}` : t`${first} to ${last} of ${count} ${what}`;
  return isOnePage
    ? t`${count} ${what} found among ${all}`
    : t`${first} to ${last} of ${count} ${what} found among ${all}`;
}

interface PagesOfProps<Row> {
  readonly rows: readonly Row[];
  /** Name of the rows: `skipped records`. */
  readonly label: string;
  /** How many a page has. */
  readonly size?: number;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** Rows that are all here, a page at a time. */
export function PagesOf<Row>({ rows, label, size = 25, children }: PagesOfProps<Row>) {
  const [chosen, setStart] = useState(0);
  const start = chosen < rows.length ? chosen : 0;
  return (
    <>
      {children(rows.slice(start, start + size))}
      {rows.length > size && (
        <OffsetPager
          what={label}
          start={start}
          limit={size}
          found={rows.length}
          total={rows.length}
          onStart={setStart}
          isSticky={false}
        />
      )}
    </>
  );
}
