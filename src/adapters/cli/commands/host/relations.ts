import type { Column } from '../../../../app/kernel/print.ts';
import { addRelation } from '../../../../app/relations/operations/add-relation.ts';
import { listRelations } from '../../../../app/relations/operations/list-relations.ts';
import { removeRelation } from '../../../../app/relations/operations/remove-relation.ts';
import type { CommandContext } from '../../context.ts';
import { type ListOptions, listRequestOf } from '../../list-options.ts';
import type { Pairs } from '../../option-values.ts';

interface RelationOptions extends ListOptions {
  readonly add?: Pairs;
  readonly remove?: Pairs;
  readonly source: string;
}

interface Edge {
  readonly type_label: string;
  readonly type: string;
  readonly target: string;
  readonly source: string;
}

export async function hostRelations(
  context: CommandContext,
  hostname: string,
  options: RelationOptions,
): Promise<void> {
  for (const [type, target] of options.add ?? []) {
    const { status } = await context.value(addRelation, { hostname, type, target, source: options.source });
    context.note(`${hostname} ${type} ${target}: ${status}`);
  }
  for (const [type, target] of options.remove ?? []) {
    const { status } = await context.value(removeRelation, { hostname, type, target });
    context.note(`${hostname} ${type} ${target}: ${status}`);
  }
  const relations = await context.value(listRelations, { hostname });
  const rows: Edge[] = [...relations.outgoing, ...relations.inbound];
  await context.listing(
    listRequestOf(options),
    () => relations,
    () => context.table(rows, RELATION_COLUMNS, `${hostname} has no relations.`),
  );
}

export const RELATION_COLUMNS: readonly Column<Edge>[] = [
  { header: 'relation', value: (edge) => edge.type_label },
  { header: 'host', value: (edge) => edge.target },
  { header: 'type', value: (edge) => edge.type },
  { header: 'source', value: (edge) => edge.source },
];
