import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type FormEvent, useMemo, useState } from 'react';
import type { OfferedOutput } from '../../../offered-operations.ts';
import { may, useSession } from '../../calls/session.ts';
import { useAction, useAnswer } from '../../calls/use-call.ts';
import { Answer } from '../../parts/answer.tsx';
import { cell } from '../../parts/cells.tsx';
import { confirm } from '../../parts/confirm.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Problem } from '../../parts/problem.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { HostField } from '../host-field.tsx';
import { HostLink } from '../host-link.tsx';
import { RELATION_TYPES, type RelationType, relationSentence, relationText } from './relation-words.ts';
import { RelationsGraph } from './relations-graph.tsx';

type Relation = OfferedOutput<'relations/list-relations'>['outgoing'][number];

const CHANGES = ['relations'];
/** Relations on one page of a table. */
const PAGE_SIZE = 25;

/** Edges from this host to others, and from others to it. */
export function RelationsTab({ hostname }: { readonly hostname: string }) {
  const isWriter = may(useSession(), 'relations/add-relation');
  const relations = useAnswer('relations/list-relations', { hostname });
  const remove = useAction('relations/remove-relation', { done: t`Relation removed`, changes: CHANGES });
  const outgoing = useMemo((): readonly Column<Relation>[] => {
    if (!isWriter) return OUTGOING;
    const removal = (edge: Relation) => {
      const type = edge.type as RelationType;
      const { target } = edge;
      const relation = relationText(edge, 'outgoing');
      return (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t`Remove ${relation} ${target}`}
          onClick={() =>
            confirm({
              title: t`Remove this relation?`,
              text: [relationSentence(hostname, type, target), t`To restore it, add it again.`].join(' '),
              yes: t`Remove`,
              onYes: () => remove.mutate({ hostname, type, target }),
            })
          }
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      );
    };
    return [...OUTGOING, cell.act('remove', t`Remove`, removal)];
  }, [isWriter, hostname, remove.mutate]);
  return (
    <Answer of={relations}>
      {(data) => (
        <Stack gap="lg">
          <RelationsGraph hostname={hostname} hasRelations={data.outgoing.length + data.inbound.length > 0} />
          <section aria-label={t`From this host`}>
            <Title order={2} size="h4">
              <Trans>From this host</Trans>
            </Title>
            <RelationTable
              caption={t`Relations from this host`}
              columns={outgoing}
              relations={data.outgoing}
              direction="outgoing"
              empty={t`It has no relations to others.`}
            />
            {isWriter && <AddRelation hostname={hostname} />}
          </section>
          <section aria-label={t`To this host`}>
            <Title order={2} size="h4">
              <Trans>To this host</Trans>
            </Title>
            <RelationTable
              caption={t`Relations to this host`}
              columns={INBOUND}
              relations={data.inbound}
              direction="inbound"
              empty={t`No other host has a relation to it.`}
            />
            {data.inbound.length > 0 && (
              <Text size="sm" c="dimmed">
                <Trans>These are stored on the other hosts; remove them there.</Trans>
              </Text>
            )}
          </section>
        </Stack>
      )}
    </Answer>
  );
}

const OUTGOING = columnsOf('outgoing');
const INBOUND = columnsOf('inbound');

function columnsOf(direction: 'outgoing' | 'inbound'): readonly Column<Relation>[] {
  const text = (edge: Relation): string => relationText(edge, direction);
  return [
    cell.text('type', t`Relation`, text, { sortBy: text }),
    // A link to walk along the relations.
    cell.link('target', t`Host`, ({ target }) => <HostLink hostname={target} tab="relations" />, {
      sortBy: ({ target }) => target,
    }),
    cell.text('source', t`Source`, ({ source }) => source, { sortBy: ({ source }) => source }),
  ];
}

interface RelationTableProps {
  readonly caption: string;
  readonly columns: readonly Column<Relation>[];
  readonly relations: readonly Relation[];
  readonly direction: 'outgoing' | 'inbound';
  readonly empty: string;
}

/** The relations of one direction; many come in pages, with a field that finds some of them. */
function RelationTable({ caption, columns, relations, direction, empty }: RelationTableProps) {
  const [text, setText] = useState('');
  const wanted = text.toLowerCase();
  const found =
    wanted === ''
      ? relations
      : relations.filter((edge) =>
          [edge.target, edge.source, relationText(edge, direction)].some((one) => one.toLowerCase().includes(wanted)),
        );
  return (
    <>
      {relations.length > PAGE_SIZE && (
        <SearchField
          label={direction === 'outgoing' ? t`Find relations from this host` : t`Find relations to this host`}
          placeholder={t`hostname, relation or source`}
          w={320}
          maw="100%"
          mb="xs"
          value={text}
          onSearch={setText}
        />
      )}
      <DataTable
        caption={caption}
        columns={columns}
        rows={found}
        rowKey={keyOf}
        inPages={{ of: t`relations`, size: PAGE_SIZE }}
        empty={relations.length === 0 ? empty : t`No relation matches.`}
      />
    </>
  );
}

function keyOf({ type, target }: Relation): string {
  return `${type} ${target}`;
}

function AddRelation({ hostname }: { readonly hostname: string }) {
  const [type, setType] = useState<RelationType>('depends_on');
  const [target, setTarget] = useState('');
  const add = useAction('relations/add-relation', {
    done: ({ status }) => (status === 'added' ? t`Relation added` : t`This relation already exists`),
    changes: CHANGES,
    showsProblem: true,
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (target.trim() === '') return;
    add.mutate({ hostname, type, target: target.trim() }, { onSuccess: () => setTarget('') });
  }

  return (
    <form onSubmit={submit} aria-label={t`Add a relation`}>
      {add.error !== null && <Problem error={add.error} />}
      <Group align="flex-end" gap="xs" mt="sm">
        <NativeSelect
          label={t`Relation`}
          data={RELATION_TYPES}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as RelationType)}
        />
        <HostField
          label={t`Other host`}
          flex="1 1 14rem"
          maw={480}
          required
          without={hostname}
          value={target}
          onChange={setTarget}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          <Trans>Add relation</Trans>
        </Button>
      </Group>
    </form>
  );
}
