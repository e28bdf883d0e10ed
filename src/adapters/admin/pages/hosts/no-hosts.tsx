import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { ButtonLink } from '../parts/links.tsx';

const route = getRouteApi('/hosts');

/** Shown if no hosts are found, with advice on what to do next. */
export function NoHosts({ hasMore, isLooking }: { readonly hasMore: boolean; readonly isLooking: boolean }) {
  const { where, account, kind, state, after } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  if (isLooking) return t`None so far.`;
  if (hasMore) return t`None among the hosts searched so far. The next page continues.`;
  if (after !== undefined) return t`There are no more hosts. Go back to the previous page.`;
  if (where === undefined && account === undefined && kind === undefined) {
    return state === 'archived' ? t`The archive is empty.` : <NoneYet />;
  }
  const field = attributeAskedFor(where);
  const isWide = account === undefined && kind === undefined && state === 'any';
  const begun = beginningOf(where);
  return (
    <Stack align="center" gap="xs">
      <Text inherit>
        {where === undefined
          ? t`Nothing matches these filters.`
          : isWide
            ? t`Nothing matches “${where}”.`
            : account === undefined && kind === undefined && state === undefined
              ? t`No active host matches “${where}”.`
              : t`Nothing matches “${where}” and the other filters.`}
      </Text>
      {field !== undefined && where !== undefined && may(session, 'inventory/browse-inventory') && (
        <ServedHosts where={where} />
      )}
      {where !== undefined && hintsOn(where).map((hint) => <Text key={hint}>{hint}</Text>)}
      <Group gap="xs" justify="center">
        {begun !== undefined && (
          <Button
            variant="default"
            size="xs"
            onClick={() => void navigate({ search: (now) => ({ ...now, where: begun }) })}
          >
            <Trans>Look for {begun}</Trans>
          </Button>
        )}
        {where !== undefined && !isWide && (
          <Button variant="default" size="xs" onClick={() => void navigate({ search: { where, state: 'any' } })}>
            <Trans>Look everywhere, also in the archive</Trans>
          </Button>
        )}
        <Button variant="default" size="xs" onClick={() => void navigate({ search: {} })}>
          <Trans>Clear the filters</Trans>
        </Button>
        {field !== undefined && may(session, 'rules/find-attribute-uses') && (
          <ButtonLink variant="default" size="xs" to="/rules/uses" search={{ attribute: field }}>
            <Trans>Rules that use {field}</Trans>
          </ButtonLink>
        )}
      </Group>
    </Stack>
  );
}

/** Shows hosts for which rules set a value that no label has; nothing if there are none. */
function ServedHosts({ where }: { readonly where: string }) {
  const { account, kind, state } = route.useSearch();
  const navigate = route.useNavigate();
  const served = askingForServed(where);
  const others = {
    ...(account === undefined ? {} : { account }),
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
  };
  const { data } = useAnswer('search/count-hosts', { where: served, ...others }, { freshSeconds: 60 });
  if (data === undefined || data.size === 0) return null;
  const count = data.is_exact ? numberText(data.size) : t`more than ${numberText(data.size)}`;
  return (
    <Stack align="center" gap={6}>
      <Text inherit c="bright">
        <Trans>Not a label, but rules set this value:</Trans>
      </Text>
      <Button size="sm" onClick={() => void navigate({ search: (now) => ({ ...now, where: served }) })}>
        {plural(data.size, { one: `Show # host with ${served}`, other: `Show ${count} hosts with ${served}` })}
      </Button>
    </Stack>
  );
}

function NoneYet() {
  const session = useSession();
  return (
    <Stack align="center" gap="xs">
      <Text inherit>
        <Trans>There are no hosts yet. They come from a source, or are created here.</Trans>
      </Text>
      {may(session, 'accounts/add-account') && (
        <Group gap="xs" justify="center">
          <ButtonLink size="xs" to="/accounts/new" search={{ kind: 'source' }}>
            <Trans>Add a source</Trans>
          </ButtonLink>
          <ButtonLink variant="default" size="xs" to="/accounts">
            <Trans>Accounts</Trans>
          </ButtonLink>
        </Group>
      )}
    </Stack>
  );
}

/** Returns possible reasons why a query finds nothing. */
function hintsOn(where: string): readonly string[] {
  return [
    ...(/\s(or|and|not)\s/.test(` ${where} `) ? [t`OR, AND and NOT are written in capitals.`] : []),
    ...(/[:=]/.test(where)
      ? [
          t`Names of labels must match exactly; * stands for anything: os=debian*`,
          t`Values set by rules aren't labels. Search served.tier=core, or group:web for inventory groups.`,
        ]
      : []),
    ...(/^[^\s:="]*\*[^\s:="]*$/.test(where)
      ? [t`A word with * is a whole name or value; *web* finds it anywhere in one.`]
      : []),
  ];
}

/** The attribute of a query that asks for just one; rules may set it. */
function attributeAskedFor(where = ''): string | undefined {
  return where.match(/^-?(\w+)[:=][^\s]+$/)?.[1];
}

/** Returns the same query, for the values that the inventory serves. */
function askingForServed(where: string): string {
  return where.replace(/^-?/, (sign) => `${sign}served.`);
}

/** The same of a query for one value, asked of all values that begin so. */
function beginningOf(where = ''): string | undefined {
  return /^-?[\w.]+[:=][^\s*"(]+$/.test(where) ? `${where}*` : undefined;
}
