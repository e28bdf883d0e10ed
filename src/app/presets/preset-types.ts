import { isObjectTarget, type SourcePresets } from '../../ports/index.ts';
import type { AccountServices } from '../accounts/services.ts';

/** The types whose accounts can take their options from a preset, with those presets. */
export function presetTypes({ plugins }: Pick<AccountServices, 'plugins'>): ReadonlyMap<string, SourcePresets> {
  const found = new Map<string, SourcePresets>();
  for (const type of plugins.sourceIds()) {
    const presets = plugins.source(type)?.item.presets;
    if (presets !== undefined) found.set(type, presets);
  }
  for (const id of plugins.targetIds()) {
    const type = plugins.target(id)?.item;
    if (type !== undefined && isObjectTarget(type) && type.presets !== undefined) found.set(id, type.presets);
  }
  return found;
}
