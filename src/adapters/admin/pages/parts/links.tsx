import { Anchor, type AnchorProps, Button, type ButtonProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, forwardRef } from 'react';

type AnchorElementProps<Own> = Own & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Own>;

/** A link to another page of ours. */
export const TextLink = createLink(
  forwardRef<HTMLAnchorElement, AnchorElementProps<AnchorProps>>((props, ref) => (
    // Inherits its size, so that a name looks the same everywhere.
    <Anchor ref={ref} inherit={props.size === undefined} {...props} />
  )),
);

/** The same, drawn as a button. */
export const ButtonLink = createLink(
  forwardRef<HTMLAnchorElement, AnchorElementProps<ButtonProps>>((props, ref) => (
    <Button ref={ref} component="a" {...props} />
  )),
);

/** The same in a menu. */
export const MenuLink = createLink(
  forwardRef<HTMLAnchorElement, AnchorElementProps<MenuItemProps>>((props, ref) => (
    <Menu.Item ref={ref} component="a" {...props} />
  )),
);
