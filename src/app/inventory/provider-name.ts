/** The provider that a name means: `ansible` is what existing installations call `automation`. */
export function providerName(name: string): string {
  return name === 'ansible' ? 'automation' : name;
}
