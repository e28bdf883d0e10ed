/** Files whose names, or those of their folders, begin with a dot are notes of the target to itself. */
export function isShown({ name }: { readonly name: string }): boolean {
  return !/(?:^|\/)\./.test(name);
}
