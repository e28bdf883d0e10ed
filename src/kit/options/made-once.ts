/** What is made when it is first asked for, and kept from then on: schemas of options, which most commands never read. */
export function madeOnce<Made>(make: () => Made): () => Made {
  let kept: { readonly made: Made } | undefined;
  return () => {
    kept ??= { made: make() };
    return kept.made;
  };
}
