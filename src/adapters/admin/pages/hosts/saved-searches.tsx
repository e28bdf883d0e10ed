import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  ActionIcon,
  Autocomplete,
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconStar, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { Problem } from '../parts/problem.tsx';
import { dashboardNames, pageOfSearch, type SavedSearch } from '../parts/saved-search.ts';
import type { HostsSearch } from './search.ts';
import { Tool } from './tool.tsx';

const CHANGES = ['search/list-saved-searches'];

interface SavedSearchesProps {
  /** The search or report that the page shows now. */
  readonly asked: Pick<HostsSearch, 'where' | 'sort' | 'account' | 'kind' | 'state' | 'provider'> &
    Pick<SavedSearch, 'rows' | 'by'>;
  readonly columns: readonly string[];
}

/** Searches that the person keeps, and those that others share. */
export function SavedSearches(props: SavedSearchesProps) {
  const [isOpen, setOpen] = useState(false);
  const session = useSession();
  return (
    <>
      <Tool icon={IconStar} label={t`Saved`} onClick={() => setOpen(true)} />
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t`Saved searches`} size="lg">
        <Stack>
          <SearchList onChosen={() => setOpen(false)} />
          {may(session, 'search/save-search') && <SaveForm {...props} />}
        </Stack>
      </Modal>
    </>
  );
}

function SearchList({ onChosen }: { readonly onChosen: () => void }) {
  const found = useAnswer('search/list-saved-searches', {});
  const remove = useAction('search/remove-saved-search', { changes: CHANGES });
  const session = useSession();
  return (
    <Answer of={found}>
      {({ searches }) =>
        searches.length === 0 ? (
          <Text c="dimmed">
            <Trans>No saved searches yet.</Trans>
          </Text>
        ) : (
          <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Saved searches`}>
            {searches.map((search) => (
              <Group component="li" key={`${search.owner}/${search.name}`} justify="space-between" wrap="nowrap">
                <div className="wrap-anywhere">
                  <TextLink {...pageOfSearch(search)} onClick={onChosen}>
                    {search.name}
                  </TextLink>
                  <Text size="sm" c="dimmed">
                    {searchFacts(search).join(' · ')}
                  </Text>
                </div>
                {search.own && may(session, 'search/remove-saved-search') && (
                  <RemoveSearch name={search.name} onRemove={() => remove.mutate({ name: search.name })} />
                )}
              </Group>
            ))}
          </Stack>
        )
      }
    </Answer>
  );
}

function RemoveSearch({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={t`Remove ${name}`} onClick={onRemove}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}

/** The query of a saved search, its filters, its owner and how it is shown. */
function searchFacts(search: SavedSearch): readonly string[] {
  const { where, own, shared, owner, unread } = search;
  const facts = [where === '' ? t`all hosts` : where, ...narrowedFacts(search)];
  if (!own) facts.push(t`shared by ${owner}`);
  else if (shared) facts.push(t`shared`);
  if (unread.length > 0) {
    const filters = unread.join(', ');
    facts.push(t`without its filters ${filters}`);
  }
  return facts;
}

const STATES: Readonly<Record<string, string>> = { archived: t`archived`, any: t`active and archived` };
const KINDS: Readonly<Record<string, string>> = { hosts: t`hosts only`, objects: t`objects only` };

type Narrowed = Partial<
  Readonly<
    Record<'account' | 'kind' | 'state' | 'provider' | 'rows' | 'by' | 'dashboard' | 'send_to', string | undefined>
  >
>;

/** Facts about a search in addition to its query. */
function narrowedFacts(narrowed: Narrowed): readonly string[] {
  const { account, kind, state, provider, rows, by, dashboard, send_to: receiver } = narrowed;
  const facts = [KINDS[kind ?? ''], STATES[state ?? '']];
  if (account !== undefined) facts.push(t`account ${account}`);
  if (provider !== undefined) facts.push(t`groups of ${provider}`);
  if (rows !== undefined) facts.push(by === undefined ? t`report by ${rows}` : t`report by ${rows} and ${by}`);
  if (dashboard !== undefined) facts.push(t`dashboard ${dashboard}`);
  if (receiver !== undefined) facts.push(t`sent through ${receiver}`);
  return facts.filter((fact) => fact !== undefined);
}

function SaveForm({ asked, columns }: SavedSearchesProps) {
  const { where } = asked;
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const [dashboard, setDashboard] = useState('');
  const [show, setShow] = useState<'hosts' | 'number'>('hosts');
  const [receiver, setReceiver] = useState('');
  const session = useSession();
  const dashboards = dashboardNames(useAnswer('search/list-saved-searches', {}).data?.searches ?? []);
  const accounts = useAnswer('accounts/show-accounts', {}, { enabled: may(session, 'accounts/show-accounts') });
  const receivers = (accounts.data?.accounts ?? []).filter(({ kind }) => kind === 'channel').map((one) => one.name);
  const save = useAction('search/save-search', { done: t`Search saved`, changes: CHANGES, showsProblem: true });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const shown = dashboard.trim() === '' ? {} : { dashboard: dashboard.trim(), show };
        const sent = receiver.trim() === '' ? {} : { send_to: receiver.trim() };
        const search = { ...asked, where: where ?? '', name: name.trim(), columns: [...columns], shared: isShared };
        save.mutate({ ...search, ...shown, ...sent }, { onSuccess: () => setName('') });
      }}
    >
      <Stack gap="xs">
        {save.error !== null && <Problem error={save.error} />}
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            label={t`Save this search as`}
            description={[where ?? t`all hosts`, ...narrowedFacts(asked)].join(' · ')}
            required
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={save.isPending}>
            <Trans>Save</Trans>
          </Button>
        </Group>
        <Group align="flex-end" gap="xs">
          <Autocomplete
            label={t`Show it on a dashboard`}
            description={t`An existing or a new one; empty for none`}
            data={[...dashboards]}
            maxLength={60}
            value={dashboard}
            onChange={setDashboard}
          />
          {dashboard.trim() !== '' && asked.rows === undefined && (
            <NativeSelect
              label={t`As`}
              data={[
                { value: 'hosts', label: t`List of hosts` },
                { value: 'number', label: t`Number of hosts` },
              ]}
              value={show}
              onChange={(event) => setShow(event.currentTarget.value === 'number' ? 'number' : 'hosts')}
            />
          )}
          <Autocomplete
            label={t`Send it as a CSV file`}
            description={t`Through this account, whenever a cron group runs its job Report`}
            data={receivers}
            value={receiver}
            onChange={setReceiver}
          />
        </Group>
        <Checkbox
          label={t`Share it with everyone who may see hosts`}
          checked={isShared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      </Stack>
    </form>
  );
}
