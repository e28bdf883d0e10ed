/** The mark of Muster, an M drawn in one line, as the address of a picture. */
export const MARK_ADDRESS = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#087f5b"/>' +
    '<path d="M5 18V7l7 6 7-6v11" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;
