import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Group, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { numberText } from '../language/numbers.ts';
import type { Days } from './days.ts';

type Day = Days['days'][number];

interface Line {
  readonly id: 'hosts' | 'objects' | 'archived';
  readonly label: string;
  readonly of: (day: Day) => number;
  /** A colour of the component library, for light pages and for dark ones. */
  readonly colours: { readonly light: string; readonly dark: string };
  /** Lines differ without their colours too. */
  readonly dash: readonly number[];
}

const LINES: readonly Line[] = [
  { id: 'hosts', label: t`Hosts`, of: ({ hosts }) => hosts, colours: { light: 'brand-9', dark: 'brand-4' }, dash: [] },
  {
    id: 'objects',
    label: t`Objects`,
    of: ({ objects }) => objects,
    colours: { light: 'green-9', dark: 'green-4' },
    dash: [10, 4],
  },
  {
    id: 'archived',
    label: t`Archived`,
    of: ({ archived }) => archived,
    colours: { light: 'gray-7', dark: 'gray-5' },
    dash: [2, 4],
  },
];

const HEIGHT = 220;
const DAY = 86_400;
const shortDay = new Intl.DateTimeFormat(i18n.locale === 'en' ? 'en-GB' : i18n.locale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

interface DaysChartProps {
  readonly days: readonly Day[];
  /** If false, the axis begins just below the smallest number, with a note. */
  readonly fromZero: boolean;
}

/** Shows lines over the days. Numbers above them belong to the day under the pointer, or else to the last one. */
export function DaysChart({ days, fromZero }: DaysChartProps) {
  const { ref: sizeRef, width } = useElementSize();
  const drawing = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const [place, setPlace] = useState<number | null>(null);
  const lines = LINES.filter(({ id, of }) => id === 'hosts' || days.some((day) => of(day) > 0));
  const range = rangeOf(days, lines, fromZero);
  const [from, to] = range;
  const shown = days[place ?? days.length - 1] ?? days.at(-1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: lines and range follow from days and fromZero
  useEffect(() => {
    const target = drawing.current;
    if (target === null || width === 0) return;
    const styles = getComputedStyle(target);
    const colour = (name: string): string => styles.getPropertyValue(`--mantine-color-${name}`).trim();
    const axis = {
      stroke: colour('text'),
      grid: { stroke: colour('default-border'), width: 1 },
      ticks: { show: false },
    };
    const chart = new uPlot(
      {
        width,
        height: HEIGHT,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false },
        scales: { x: { time: false }, y: { range: () => [from, to] } },
        axes: [
          {
            ...axis,
            size: 32,
            incrs: [1, 2, 7, 14, 30, 61, 91].map((count) => count * DAY),
            values: (_, moments) => moments.map((moment) => shortDay.format(moment * 1000)),
          },
          {
            ...axis,
            size: 64,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500]
              .flatMap((step) => [step, step * 1000, step * 1_000_000])
              .sort((a, b) => a - b),
            values: (_, counts) => counts.map((count) => numberText(count)),
          },
        ],
        series: [
          {},
          ...lines.map(({ label, colours, dash }) => ({
            label,
            stroke: colour(colours[scheme]),
            width: 2,
            dash: [...dash],
            points: { show: days.length <= 31, size: 5, fill: colour(colours[scheme]) },
          })),
        ],
        hooks: { setCursor: [({ cursor }) => setPlace(cursor.idx ?? null)] },
      },
      [days.map(({ day }) => Date.parse(day) / 1000), ...lines.map(({ of }) => days.map(of))],
      target,
    );
    return () => chart.destroy();
  }, [days, width, scheme, from, to]);

  return (
    <div ref={sizeRef}>
      {shown !== undefined && (
        <Group gap="md" mb={4}>
          <Text size="sm" fw={600}>
            {shown.day}
          </Text>
          {lines.map(({ label, of, dash, colours }) => (
            <Group key={label} gap={6} wrap="nowrap">
              <svg width="24" height="8" aria-hidden>
                <line
                  x1="0"
                  x2="24"
                  y1="4"
                  y2="4"
                  strokeWidth="2"
                  strokeDasharray={dash.join(' ')}
                  stroke={`var(--mantine-color-${colours[scheme]})`}
                />
              </svg>
              <Text size="sm">
                {label} {numberText(of(shown))}
              </Text>
            </Group>
          ))}
        </Group>
      )}
      <div ref={drawing} className="days-chart" role="img" aria-label={spoken(days, lines)} />
      {from > 0 && (
        <Text size="xs" c="dimmed">
          {t`The axis begins at ${{ number: numberText(from) }}, not at 0.`}
        </Text>
      )}
    </div>
  );
}

/** Returns the range from 0, or from a round number below the smallest; always to a round one above the largest. */
function rangeOf(days: readonly Day[], lines: readonly Line[], fromZero: boolean): readonly [number, number] {
  const counts = days.flatMap((day) => lines.map(({ of }) => of(day)));
  const [least, most] = [Math.min(...counts), Math.max(...counts, 1)];
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, (fromZero ? most : most - least) / 2))));
  return [
    fromZero ? 0 : Math.max(0, Math.floor(least / step - 0.5) * step),
    Math.ceil((most * (fromZero ? 1.05 : 1)) / step) * step,
  ];
}

/** `Hosts: 120 on 2026-01-01, 132 on 2026-03-31, between 118 and 140.` */
function spoken(days: readonly Day[], lines: readonly Line[]): string {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return t`Hosts over time`;
  const sentences = lines.map(({ label, of }) => {
    const counts = days.map(of);
    const [least, most] = [numberText(Math.min(...counts)), numberText(Math.max(...counts))];
    const [begin, end] = [numberText(of(first)), numberText(of(last))];
    const [firstDay, lastDay] = [first.day, last.day];
    return t`${label}: ${begin} on ${firstDay}, ${end} on ${lastDay}, between ${least} and ${most}.`;
  });
  return [...sentences, t`The table has all days.`].join(' ');
}
