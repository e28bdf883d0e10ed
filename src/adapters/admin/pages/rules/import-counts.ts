import type { OfferedOutput } from '../../offered-operations.ts';

export type ImportAnswer = OfferedOutput<'rules/import-rules'>;

/** Counts of an import for one type, or for all. */
export interface ImportCounts {
  /** Newly stored ones; for host objects also the replaced ones, as they are not compared. */
  readonly added: number;
  readonly same: number;
  readonly different: number;
  /** Existing ones that are never compared: host objects. */
  readonly uncompared: number;
  readonly invalid: number;
}

/** Returns the types in the file, with their counts. */
export function countsByType(answer: ImportAnswer, replaces: boolean): readonly (ImportCounts & { type: string })[] {
  return Object.keys(answer.duplicate)
    .map((type) => {
      const same = answer.same[type] ?? 0;
      const different = answer.different[type] ?? 0;
      const stored = answer.imported[type] ?? answer.kept?.[type] ?? 0;
      return {
        type,
        added: replaces ? stored - same - different : stored,
        same,
        different,
        uncompared: (answer.duplicate[type] ?? 0) - (replaces ? 0 : same + different),
        invalid: answer.invalid[type] ?? 0,
      };
    })
    .filter(({ type: _, ...counts }) => Object.values(counts).some((count) => count > 0));
}

export function allCounts(answer: ImportAnswer, replaces: boolean): ImportCounts {
  const all = { added: 0, same: 0, different: 0, uncompared: 0, invalid: 0 };
  for (const counts of countsByType(answer, replaces)) {
    for (const name of ['added', 'same', 'different', 'uncompared', 'invalid'] as const) all[name] += counts[name];
  }
  return all;
}

/** Returns how many rules change when the import of this preview, which replaces nothing, is run. */
export function changedRules(preview: ImportAnswer, replaces: boolean): number {
  const { added, different, uncompared } = allCounts(preview, false);
  return added + (replaces ? different + uncompared : 0);
}
