/** A moment of an answer (`2026-03-01T07:30:00Z`, or false) as people read it. All times are UTC. */
export function momentText(moment: string | false | null | undefined): string {
  if (!moment) return 'never';
  return moment.replace('T', ' ').replace(/(\.\d+)?Z$/, '');
}
