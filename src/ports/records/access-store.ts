/** Facts about credentials that change with use and so do not belong into the user's document. */
export interface AccessStore {
  /** Remembers when tokens were last used, by token id; an older time than the stored one is ignored. */
  recordTokenUse(uses: readonly { readonly tokenId: string; readonly at: Date }[]): Promise<void>;
  /** Last use by token id; tokens never used are absent. */
  tokenUses(tokenIds: readonly string[]): Promise<ReadonlyMap<string, Date>>;

  /**
   * Remembers that something was used which may be used once only, such as a signature, until the date. True the first time;
   * false when it is remembered, on any node and after a restart. Of many who call at once, one gets true. What ran out before
   * `now` is forgotten.
   */
  useOnce(request: { readonly key: string; readonly now: Date; readonly until: Date }): Promise<boolean>;
}
