/** Existing inventory clients use other paths, too; they answer exactly as the first one does. Roles are granted for that one. */
export function inventoryPaths(rest: '' | '/:provider') {
  return {
    basePath: '/inventory/automation',
    aliases: [`/inventory/ansible${rest}`, `/ansible/inventory${rest}`],
  } as const;
}
