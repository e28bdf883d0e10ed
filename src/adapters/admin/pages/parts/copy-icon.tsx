import { t } from '@lingui/core/macro';
import { ActionIcon, type ActionIconProps, Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';

const SHOWN_MS = 2000;

interface CopyIconProps extends Pick<ActionIconProps, 'size' | 'variant' | 'color' | 'className'> {
  readonly value: string;
  /** Name of the text, for the button: `URL`. */
  readonly label: string;
  readonly iconSize: number;
}

/** Copies a text; if the browser does not allow it, shows the text selected, to be copied by hand. */
export function CopyIcon({ value, label, iconSize, ...props }: CopyIconProps) {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    if (await wasCopied(value)) {
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
      return;
    }
    modals.open({
      title: t`Copy ${label}`,
      children: (
        <Textarea
          label={t`This browser does not let the page copy. Press Ctrl C, or Cmd C on a Mac.`}
          readOnly
          autosize
          maxRows={12}
          data-autofocus
          value={value}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      ),
    });
  }
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <ActionIcon {...props} aria-label={copied ? t`${label} copied` : t`Copy ${label}`} onClick={() => void copy()}>
      <Icon size={iconSize} aria-hidden />
    </ActionIcon>
  );
}

/** Over plain HTTP browsers have no clipboard, but most can still copy a selection. */
async function wasCopied(value: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement('textarea');
  field.value = value;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Inside of an open dialog, which pulls the focus back from anything outside of it.
  const place = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  const focused = document.activeElement;
  place.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
