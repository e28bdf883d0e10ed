import { Button } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconArrowsDiff } from '@tabler/icons-react';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { confirm } from '../parts/confirm.ts';
import { ButtonLink } from '../parts/links.tsx';
import { HOST_CHANGES, type Host } from './host.ts';

/** What can be done with a whole host. */
export function HostActions({ host }: { readonly host: Host }) {
  return (
    <>
      <ButtonLink
        to="/hosts/compare"
        search={{ left: host.hostname }}
        variant="default"
        leftSection={<IconArrowsDiff size={16} aria-hidden />}
      >
        Compare
      </ButtonLink>
      <ArchiveOrRestore host={host} />
    </>
  );
}

function ArchiveOrRestore({ host: { hostname, archived } }: { readonly host: Host }) {
  const session = useSession();
  const archive = useAction('hosts/archive-host', { done: `Archived ${hostname}`, changes: HOST_CHANGES });
  const restore = useAction('hosts/restore-host', { done: `Restored ${hostname}`, changes: HOST_CHANGES });
  if (!may(session, 'hosts/archive-host')) return null;
  if (archived !== null) {
    return (
      <Button
        leftSection={<IconArchiveOff size={16} aria-hidden />}
        loading={restore.isPending}
        onClick={() => restore.mutate({ hostname })}
      >
        Restore
      </Button>
    );
  }
  return (
    <Button
      variant="default"
      leftSection={<IconArchive size={16} aria-hidden />}
      loading={archive.isPending}
      onClick={() =>
        confirm({
          title: 'Archive this host?',
          text: `${hostname} disappears from all lists and inventories. No import and no API write brings it back until someone restores it, here or with “muster host restore”.`,
          yes: 'Archive',
          onYes: () => archive.mutate({ hostname }),
        })
      }
    >
      Archive
    </Button>
  );
}
