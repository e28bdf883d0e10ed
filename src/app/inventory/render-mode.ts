import type { Caller } from '../kernel/caller.ts';
import type { RenderMode } from './render.ts';
import type { InventoryServices } from './services.ts';

/** How this caller gets inventories. Only script inventories unwrap values that are marked unsafe, so everybody else gets broken text instead. */
export function renderMode({ config }: InventoryServices, { entrance }: Pick<Caller, 'entrance'>): RenderMode {
  const {
    INVENTORY_TEMPLATE_TEXT: mode,
    INVENTORY_VARIABLE_NAMES: names,
    INVENTORY_ANSIBLE_LABELS: ansibleLabels,
  } = config;
  return {
    templateText: mode === 'wrap' && entrance !== 'cli' && entrance !== 'remote' ? 'break' : mode,
    names,
    ansibleLabels,
  };
}
