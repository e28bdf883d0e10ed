import { plural } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import { valueText } from '../parts/value-text.ts';
import type { Labels } from './host.ts';

/** More than these do not fit in a line of the widest window. */
const SHOWN = 8;

interface LabelChipsProps {
  readonly labels: Labels;
  /** A label that is shown before the others. */
  readonly first: string | undefined;
  /** Labels that have columns of their own. */
  readonly without: readonly string[];
}

/** Shows the labels of a host in one line, cut at the column; all of them are shown on hover. */
export function LabelChips({ labels, first, without }: LabelChipsProps) {
  const names = Object.keys(labels).filter((name) => !without.includes(name));
  const filled = names.filter((name) => labels[name] !== '' && labels[name] !== null);
  const shown = [...filled.filter((name) => name === first), ...filled.filter((name) => name !== first)].slice(
    0,
    SHOWN,
  );
  const texts = names.map((name) => labelText(labels, name));
  if (names.length === 0) return null;
  return (
    <div className="label-line" title={texts.join('\n')} data-printed={texts.join(', ')}>
      <span className="label-chips">
        {shown.map((name) => (
          <Badge key={name} component="span" variant="default" fw={400}>
            {labelText(labels, name)}
          </Badge>
        ))}
        {shown.length === 0 && plural(names.length, { one: '# label', other: '# labels' })}
      </span>
    </div>
  );
}

function labelText(labels: Labels, name: string): string {
  return `${name}: ${valueText(labels[name])}`;
}
