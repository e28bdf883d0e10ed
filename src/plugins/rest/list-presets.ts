import type { SourcePreset } from '../../ports/index.ts';
import { TARGET_PRESETS } from './export/declaration.ts';
import { SOURCE_PRESETS } from './preset.ts';
import { listedPresets } from './preset-files.ts';

export function sourcePresets(folder: string): Promise<readonly SourcePreset[]> {
  return listedPresets(SOURCE_PRESETS, folder);
}

export function targetPresets(folder: string): Promise<readonly SourcePreset[]> {
  return listedPresets(TARGET_PRESETS, folder);
}
