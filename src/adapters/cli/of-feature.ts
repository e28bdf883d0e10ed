import { Command } from 'commander';
import { FEATURES } from '../../../generated/features.ts';

/** The command that commands of a feature are added to; in a program without it, one that is nowhere. */
export function ofFeature(feature: string, parent: Command): Command {
  return FEATURES.has(feature) ? parent : new Command();
}
