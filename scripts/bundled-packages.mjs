/** Which packages a bundle holds code of: where they stand in the lock file, in their order. */
export function bundledPackages({ outputs }) {
  const found = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      // From the first folder of packages on: it may be a link to one elsewhere.
      const [place] = /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (place !== undefined && bytesInOutput > 0) found.add(place);
    }
  }
  return [...found].sort();
}
