import { AggregatorRegistry } from 'prom-client';
import { type Durations, TIMING_BOUNDS } from '../../../app/kernel/timings.ts';

export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** Name of histograms, whose samples have names of their own. */
  readonly metricName?: string;
}

/** One metric with its current samples. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How samples with the same labels are combined. */
  readonly aggregator: 'sum' | 'min' | 'max';
  readonly values: readonly Sample[];
}

/** Returns the text form that Prometheus reads. */
export function textOf(families: readonly Family[]): Promise<string> {
  return AggregatorRegistry.aggregate([families as object[]] as object[]).metrics();
}

/** Labels that hold names from data. */
const NAMES = ['account', 'group'];

/** Returns the same for callers who may not know names: samples that bear one are merged with their like. */
export function withoutNames(families: readonly Family[]): readonly Family[] {
  return families.map((family) => ({
    ...family,
    values: family.values.map(({ labels, ...sample }) => {
      return {
        ...sample,
        labels: Object.fromEntries(Object.entries(labels).filter(([name]) => !NAMES.includes(name))),
      };
    }),
  }));
}

/** Returns durations as a histogram; `labelsOf` returns the labels that tell them apart. */
export function durations<Timing extends Durations>(
  { name, help, bounds = TIMING_BOUNDS }: Pick<Family, 'name' | 'help'> & { readonly bounds?: readonly number[] },
  timings: readonly Timing[],
  labelsOf: (timing: Timing) => Sample['labels'],
): Family {
  return { name, help, type: 'histogram', aggregator: 'sum', values: timings.flatMap((timing) => samples(timing)) };

  function samples(timing: Timing): Sample[] {
    const labels = labelsOf(timing);
    let count = 0;
    const buckets = timing.classes.map((within, index): Sample => {
      count += within;
      return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[index] ?? '+Inf' }, value: count };
    });
    const sum = { metricName: `${name}_sum`, labels, value: timing.seconds };
    return [...buckets, sum, { metricName: `${name}_count`, labels, value: count }];
  }
}
