import { Badge, createTheme, Modal } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'teal',
  // White text on lighter ones has less contrast than WCAG asks for.
  primaryShade: 9,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  components: {
    Badge: Badge.extend({ defaultProps: { radius: 'sm', tt: 'none' } }),
    // Locking writes a style into the page that its policy refuses.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, closeButtonProps: { 'aria-label': 'Close dialog' } } }),
  },
});
