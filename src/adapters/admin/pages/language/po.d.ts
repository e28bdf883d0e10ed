/** Parts of a catalogue: see `compiledCatalogue` in scripts/messages. */
declare module '*.po?first' {
  const messages: import('@lingui/core').Messages;
  export default messages;
}
declare module '*.po?pages' {
  const messages: import('@lingui/core').Messages;
  export default messages;
}
declare module '*.po?service' {
  const messages: import('@lingui/core').Messages;
  export default messages;
}
