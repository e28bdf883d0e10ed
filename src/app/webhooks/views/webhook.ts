import type { Print } from '../../kernel/print.ts';

interface Webhook {
  readonly group: string;
  readonly webhook_enabled: boolean;
}

/** Prints the token alone on the standard output; notes explain how it counts. */
export async function tokenView(
  { token, has_policy, ...webhook }: Webhook & { readonly token: string; readonly has_policy: boolean },
  print: Print,
): Promise<void> {
  const { group } = webhook;
  print.note(`Webhook token of ${group}. It is shown only once:`);
  await print.result(`${token}\n`);
  if (has_policy) {
    print.note(
      `${group} takes signed calls only, and this token when "muster cron policy ${group} --remove" was called.`,
    );
  }
  noteIfClosed(webhook, print);
}

/** Notes if no call of the webhook is accepted yet. */
export function noteIfClosed({ group, webhook_enabled }: Webhook, print: Print): void {
  if (webhook_enabled) return;
  print.note(`The webhook of ${group} is not enabled yet: set webhook_enabled of the group.`);
}
