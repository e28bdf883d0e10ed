import { t } from '@lingui/core/macro';
import { Badge, createTheme, type MantineColorsTuple, Modal, type PasswordInputProps } from '@mantine/core';

/** The colour of Muster: what can be clicked, and where one is. Green, orange and red are left to how things stand. */
const brand: MantineColorsTuple = [
  '#eef1fb',
  '#dbe1f6',
  '#b9c4ee',
  '#9aaae8',
  '#8b9ce3',
  '#7f92df',
  '#6f84da',
  '#5a70cf',
  '#4a60c4',
  '#3d51ad',
];

export const theme = createTheme({
  primaryColor: 'brand',
  colors: { brand },
  // White text on lighter ones has less contrast than WCAG asks for.
  primaryShade: 9,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h2: { fontSize: '1.5rem', lineHeight: '1.3' },
      h4: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h5: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  components: {
    Badge: Badge.extend({ defaultProps: { radius: 'sm', tt: 'none' } }),
    // Locking writes a style into the page that its policy refuses.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, closeButtonProps: { 'aria-label': t`Close dialog` } } }),
    // By its name: the component itself is no part of the first page.
    PasswordInput: {
      defaultProps: {
        visibilityToggleButtonProps: { 'aria-label': t`Show or hide what is typed` },
      } satisfies PasswordInputProps,
    },
  },
});
