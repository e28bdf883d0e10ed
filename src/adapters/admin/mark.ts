/** The mark of Muster, an M whose corners are the hosts that it joins, as the address of a picture. */
export const MARK_ADDRESS = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#3d51ad"/>' +
    '<path d="M5.5 18V7.5L12 14l6.5-6.5V18" fill="none" stroke="#fff" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/>' +
    '<g fill="#fff"><circle cx="5.5" cy="6.8" r="2.3"/><circle cx="18.5" cy="6.8" r="2.3"/></g><circle cx="12" cy="14.4" r="2.3" fill="#f7b955"/></svg>',
)}`;
