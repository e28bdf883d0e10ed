import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconArrowsDiff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { has, may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { confirm } from '../parts/confirm.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { goneByArchive, isOfHost } from './gone.ts';
import { HOST_CHANGES, type Host } from './host.ts';

/** Actions on a whole host. */
export function HostActions({ host }: { readonly host: Host }) {
  const session = useSession();
  return (
    <>
      {has(session, 'search/search-hosts') && (
        <ButtonLink
          to="/hosts/compare"
          search={{ left: host.hostname }}
          variant="default"
          leftSection={<IconArrowsDiff size={16} aria-hidden />}
        >
          <Trans>Compare</Trans>
        </ButtonLink>
      )}
      <ArchiveOrRestore host={host} />
    </>
  );
}

function ArchiveOrRestore({ host: { hostname, archived } }: { readonly host: Host }) {
  const session = useSession();
  const archive = useAction('hosts/archive-host', {
    done: t`Archived ${hostname}`,
    changes: HOST_CHANGES,
    gone: (query) => goneByArchive(query, hostname),
  });
  const restore = useAction('hosts/restore-host', { done: t`Restored ${hostname}`, changes: HOST_CHANGES });
  if (!may(session, 'hosts/archive-host')) return null;
  if (archived !== null) {
    return (
      <>
        {has(session, 'search/purge-hosts') && <DeleteForGood hostname={hostname} />}
        <Button
          leftSection={<IconArchiveOff size={16} aria-hidden />}
          loading={restore.isPending}
          onClick={() => restore.mutate({ hostname })}
        >
          <Trans>Restore</Trans>
        </Button>
      </>
    );
  }
  return (
    <Button
      variant="default"
      leftSection={<IconArchive size={16} aria-hidden />}
      loading={archive.isPending}
      onClick={() =>
        confirm({
          title: t`Archive this host?`,
          text: t`${hostname} disappears from all lists and inventories. No import and no API write brings it back until someone restores it, here or with “muster host restore”.`,
          yes: t`Archive`,
          onYes: () => archive.mutate({ hostname }),
        })
      }
    >
      <Trans>Archive</Trans>
    </Button>
  );
}

/** Deletes a host in the archive. */
function DeleteForGood({ hostname }: { readonly hostname: string }) {
  const navigate = useNavigate();
  const purge = useAction('search/purge-hosts', {
    done: t`Deleted ${hostname}`,
    changes: [...HOST_CHANGES, 'search'],
    gone: (query) => isOfHost(query, hostname),
  });
  const ask = () =>
    confirm({
      title: t`Delete this host for good?`,
      text: t`${hostname} is deleted with its labels, sections, history and relations, and this cannot be undone. A source that still has it creates it again with its next import.`,
      yes: t`Delete for good`,
      onYes: () =>
        purge.mutate({ hostnames: [hostname] }, { onSuccess: () => void navigate({ to: '/hosts', search: {} }) }),
    });
  return (
    <DeleteButton isPending={purge.isPending} onClick={ask}>
      <Trans>Delete for good</Trans>
    </DeleteButton>
  );
}
