// Runs before the page is drawn: the colours that the reader has chosen here or in the admin interface, which keeps them under this name.
try {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.colours = chosen;
} catch {
  // Storage is refused: the colours of the system.
}
