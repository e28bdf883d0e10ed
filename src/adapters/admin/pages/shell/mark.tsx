const ICON = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;

/** The mark next to the name; the document has it as its icon. */
export function Mark() {
  return <img src={ICON} width={26} height={26} alt="" />;
}
