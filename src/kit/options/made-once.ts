/**
 * Returns a function that makes a value on its first call and keeps it: for schemas of options, which most commands never read.
 */
export function madeOnce<Made>(make: () => Made): () => Made {
  let kept: { readonly made: Made } | undefined;
  return () => {
    kept ??= { made: make() };
    return kept.made;
  };
}
