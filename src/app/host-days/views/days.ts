import { grouped } from '../../../kit/words/amounts.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface Day {
  readonly day: string;
  readonly hosts: number;
  readonly objects: number;
  readonly archived: number;
}

export const DAY_COLUMNS: readonly Column<Day>[] = [
  { header: 'day', value: ({ day }) => day },
  amount('hosts'),
  amount('objects'),
  amount('archived'),
];

function amount(header: 'hosts' | 'objects' | 'archived'): Column<Day> {
  return { header, align: 'right', sortBy: (day) => day[header], value: (day) => grouped(day[header]) };
}

export function daysView({ days }: { readonly days: readonly Day[] }, print: Print): Promise<void> {
  return print.table(days, DAY_COLUMNS, 'Hosts were not counted on any of these days.');
}
