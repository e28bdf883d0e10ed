import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Table } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface SortableRulesProps {
  readonly rules: readonly Named[];
  /** How many go together when this one is moved. */
  readonly countOf: (id: string) => number;
  /** Called when a rule was dropped at the place of another one. */
  readonly onDrop: (moved: string, over: string) => void;
  readonly children: ReactNode;
}

/** Rows below it can be brought into another order, by pointer and by keyboard. */
export function SortableRules({ rules, countOf, onDrop, children }: SortableRulesProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const nameOf = (id: UniqueIdentifier): string => rules.find((rule) => rule.id === id)?.name || String(id);
  /** Returns the name, or the number if several are moved. */
  const movedOf = (id: UniqueIdentifier): string => {
    const count = countOf(String(id));
    return count === 1 ? nameOf(id) : plural(count, { one: '# rule', other: '# rules' });
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) => t`Picked up ${{ name: movedOf(active.id) }}.`,
    onDragOver: ({ active, over }) =>
      over === null || over.id === active.id
        ? undefined
        : t`At the place of ${{ other: nameOf(over.id) }}: ${{ name: movedOf(active.id) }}.`,
    onDragEnd: ({ active, over }) =>
      over === null ? '' : t`Put ${{ name: movedOf(active.id) }} at the place of ${{ other: nameOf(over.id) }}.`,
    onDragCancel: ({ active }) => t`Not moved: ${{ name: movedOf(active.id) }}.`,
  };

  function drop({ active, over }: DragEndEvent): void {
    if (over !== null && over.id !== active.id) onDrop(String(active.id), String(over.id));
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements, screenReaderInstructions: { draggable: HOW } }}
    >
      <SortableContext items={rules.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

const HOW = t`Press space to pick the rule up, the arrow keys to move it, space to put it down, and escape to cancel.`;

type Handle = Pick<ReturnType<typeof useSortable>, 'attributes' | 'listeners' | 'setActivatorNodeRef'>;
const HandleContext = createContext<Handle | undefined>(undefined);

interface SortableRowProps {
  readonly id: string;
  /** Rows that go together when one of them is moved. */
  readonly together: ReadonlySet<string>;
  readonly children: ReactNode;
}

/** A row that can be moved by the handle in it. */
export function SortableRow({ id, together, children }: SortableRowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging, active } =
    useSortable({ id });
  const isTaken = isDragging || (active !== null && together.has(id) && together.has(String(active.id)));
  return (
    <HandleContext value={{ attributes, listeners, setActivatorNodeRef }}>
      <Table.Tr
        ref={setNodeRef}
        style={{ transform: CSS.Translate.toString(transform), transition }}
        {...(isTaken && { className: 'rule-dragged' })}
      >
        {children}
      </Table.Tr>
    </HandleContext>
  );
}

/** Picks up the row that contains it. */
export function DragHandle({ name }: { readonly name: string }) {
  const handle = useContext(HandleContext);
  if (handle === undefined) return null;
  const { attributes, listeners, setActivatorNodeRef } = handle;
  return (
    <ActionIcon
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      variant="subtle"
      color="gray"
      size="sm"
      className="rule-handle"
      aria-label={t`Move ${name}`}
    >
      <IconGripVertical size={16} aria-hidden />
    </ActionIcon>
  );
}
