import { t } from '@lingui/core/macro';
import { Anchor, Badge, createTheme, type MantineColorsTuple, Modal, type PasswordInputProps } from '@mantine/core';

/** The colour of Muster: for clickable parts, and the current position. Green, orange and red are reserved for states. */
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

/** Greys of the dark colours, from texts to the page, which is the lowest of three levels: cards and menus are above it, and fields above these. */
const dark: MantineColorsTuple = [
  '#c9cacf',
  '#b6b8bf',
  '#80838c',
  '#676a73',
  '#3f434b',
  '#363a41',
  '#282b31',
  '#1e2025',
  '#1a1b20',
  '#15161a',
];

export const theme = createTheme({
  primaryColor: 'brand',
  colors: { brand, dark },
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
    // One kind of link, recognisable by more than its colour.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Badge: Badge.extend({ defaultProps: { radius: 'sm', tt: 'none' } }),
    // Locking writes a style into the page that its policy refuses.
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        closeButtonProps: { 'aria-label': t`Close dialog` },
        // The header of a dialog is not a second banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    }),
    // Screen readers find everything on a page within a landmark, open drop-downs too.
    Combobox: { defaultProps: { portalProps: { target: '#drop-downs' } } },
    // A long list scrolls itself: an area in it that scrolls would have to be reached by keyboard.
    Autocomplete: { defaultProps: { withScrollArea: false } },
    MultiSelect: { defaultProps: { withScrollArea: false } },
    Select: { defaultProps: { withScrollArea: false } },
    TagsInput: { defaultProps: { withScrollArea: false } },
    // The library's placeholder for the focus is not an item, and a menu has nothing but items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t`Close` } } },
    // By its name: the component itself does not belong to the first page.
    PasswordInput: {
      defaultProps: {
        visibilityToggleButtonProps: { 'aria-label': t`Show or hide what is typed` },
      } satisfies PasswordInputProps,
    },
  },
});
