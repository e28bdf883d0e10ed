import type { EvaluatedHost, InventoryHost, JsonObject } from '../../ports/index.ts';
import { nameOfGroup } from './catalogue.ts';
import { SILENT } from './name-report.ts';
import { type RenderMode, renderHostVariables } from './render.ts';

/** A host as consumers of an inventory read it. */
export interface ServedHost {
  readonly hostname: string;
  readonly variables: JsonObject;
  /** Sorted. */
  readonly groups: readonly string[];
}

/** `undefined` when the host is in no inventory. */
export function servedHost(
  evaluated: EvaluatedHost | undefined,
  furtherGroups: readonly string[],
  render: RenderMode,
): ServedHost | undefined {
  if (evaluated?.included !== true) return undefined;
  const text = servedText(evaluated, render, false);
  if (text === undefined) return undefined;
  const groups = [...evaluated.groups, ...furtherGroups].flatMap((group) => nameOfGroup(group, render) ?? []);
  return {
    hostname: evaluated.hostname,
    variables: JSON.parse(text) as JsonObject,
    groups: [...new Set(groups)].sort(),
  };
}

/** Its variables as JSON; `undefined` when no consumer can take the host. `foreign`: no evaluator of ours wrote it. */
export function servedText(host: InventoryHost, render: RenderMode, foreign: boolean): string | undefined {
  const rendered = renderHostVariables(host, { ...render, logger: SILENT, foreign });
  return 'fault' in rendered ? undefined : rendered.text;
}
