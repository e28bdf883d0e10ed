// Part of the pages of `npm run dev` only: loads the page again when the service names other files for it. It asks for the
// page itself, so that the service needs nothing for it, and the content policy of the pages stays as it is.
const filesOf = (html) => [...html.matchAll(/\/admin\/assets\/([^"]+)/g)].map(([, name]) => name).join(' ');

const shown = filesOf(document.head.innerHTML);

setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch('/admin', { cache: 'no-store' });
    const current = answer.ok ? filesOf(await answer.text()) : '';
    if (current !== '' && current !== shown) location.reload();
  } catch {
    // The service begins again just now.
  }
}, 1_000);
