import { setCronPolicy } from '../../../../app/webhooks/operations/set-policy.ts';
import { noteIfClosed } from '../../../../app/webhooks/views/webhook.ts';
import type { CommandContext } from '../../context.ts';
import { secretFromStdin } from '../../secrets.ts';
import { UsageError } from '../../usage-error.ts';

interface PolicyOptions {
  readonly secretStdin?: true;
  readonly generate?: true;
  readonly window?: number;
  readonly allowIp?: readonly string[];
  readonly remove?: true;
  readonly json?: true;
}

export async function setPolicyCommand(context: CommandContext, group: string, options: PolicyOptions): Promise<void> {
  const { secretStdin, generate, window, allowIp, remove } = options;
  const ways = [secretStdin, generate, remove].filter((given) => given === true);
  if (ways.length > 1) throw new UsageError('--secret-stdin, --generate and --remove exclude each other');
  if (remove && (window !== undefined || allowIp !== undefined)) {
    throw new UsageError('--remove removes the whole policy; --window and --allow-ip do not go with it');
  }
  if (ways.length === 0 && window === undefined && allowIp === undefined) {
    throw new UsageError('say what to change: --secret-stdin, --generate, --window, --allow-ip or --remove');
  }
  const answer = await context.value(setCronPolicy, {
    group_name: group,
    generate: generate === true,
    remove: remove === true,
    ...(secretStdin ? { secret: await secretFromStdin(context) } : {}),
    ...(window === undefined ? {} : { window_seconds: window }),
    ...(allowIp === undefined ? {} : { allow_ips: allowIp }),
  });
  if (options.json) return context.json(answer);
  const { policy, secret } = answer;
  if (policy === null) {
    context.note(`The webhook of ${group} takes its token or a user again.`);
    return noteIfClosed(answer, context);
  }
  const from = policy.allow_ips.length === 0 ? 'any address' : policy.allow_ips.join(', ');
  context.note(`The webhook of ${group} takes signed calls only, within ${policy.window_seconds} s, from ${from}.`);
  if (answer.weak_secret) {
    context.note(
      context.noteColours.yellow(
        'This secret is short: who sees a signed call may find it by trying. Take 16 characters or more, or --generate.',
      ),
    );
  }
  noteIfClosed(answer, context);
  if (secret === undefined) return;
  context.note('The signing secret. It is shown only once:');
  await context.result(`${secret}\n`);
}
