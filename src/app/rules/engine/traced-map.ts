/** A map that reports its changes while it has a listener. Rules cannot distinguish it from a plain one. */
export class TracedMap<V> extends Map<string, V> {
  listener: ((name: string, before: V | undefined, after: V | undefined) => void) | undefined;

  override set(name: string, value: V): this {
    const before = this.get(name);
    super.set(name, value);
    this.listener?.(name, before, value);
    return this;
  }

  override delete(name: string): boolean {
    const before = this.get(name);
    const existed = super.delete(name);
    if (existed) this.listener?.(name, before, undefined);
    return existed;
  }

  override clear(): void {
    for (const name of [...this.keys()]) this.delete(name);
  }
}
