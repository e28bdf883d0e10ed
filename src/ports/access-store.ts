/** Facts about credentials that change with use and so do not belong into the user's document. */
export interface AccessStore {
  /** Remembers when tokens were last used, by token id; an older time than the stored one is ignored. */
  recordTokenUse(uses: readonly { readonly tokenId: string; readonly at: Date }[]): Promise<void>;
  /** Last use by token id; tokens never used are absent. */
  tokenUses(tokenIds: readonly string[]): Promise<ReadonlyMap<string, Date>>;
}
