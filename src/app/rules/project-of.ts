/** The project whose rules make an inventory, by the provider's name; `null`: the rules without a project, which is also what no name means. */
export function projectOf(provider: string | undefined): string | null {
  return provider === undefined || provider === 'automation' ? null : provider;
}
