import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { Problem } from '../parts/problem.tsx';
import { When } from '../parts/when.tsx';

/** Shows users' comments on the host, newest first. */
export function CommentsTab({ hostname }: { readonly hostname: string }) {
  const session = useSession();
  const comments = useAnswer('comments/list-comments', { hostname, limit: 1000 });
  return (
    <Stack maw={760}>
      {may(session, 'comments/add-comment') && <NewComment hostname={hostname} />}
      <Answer of={comments}>
        {(data) =>
          data.comments.length === 0 ? (
            <Text c="dimmed">
              <Trans>No comments yet.</Trans>
            </Text>
          ) : (
            <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Comments`}>
              {data.comments.map((comment) => (
                <Comment key={comment.id} hostname={hostname} comment={comment} />
              ))}
            </Stack>
          )
        }
      </Answer>
    </Stack>
  );
}

function NewComment({ hostname }: { readonly hostname: string }) {
  const add = useAction('comments/add-comment', { changes: ['comments'], showsProblem: true });
  const [text, setText] = useState('');

  function submit(event: FormEvent): void {
    event.preventDefault();
    add.mutate({ hostname, text }, { onSuccess: () => setText('') });
  }

  return (
    <form aria-label={t`New comment`} onSubmit={submit}>
      <Stack gap="xs">
        {add.isError && <Problem error={add.error} />}
        <Textarea
          label={t`Comment`}
          description={t`Plain text. Comments are in no inventory and no export.`}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={4096}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={add.isPending} disabled={text.trim() === ''}>
            <Trans>Add comment</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface CommentProps {
  readonly hostname: string;
  readonly comment: {
    readonly id: string;
    readonly time: string;
    readonly author: string;
    readonly text: string;
    readonly removable: boolean;
  };
}

function Comment({ hostname, comment: { id, time, author, text, removable } }: CommentProps) {
  const session = useSession();
  const remove = useAction('comments/remove-comment', { changes: ['comments'], showsProblem: true });
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Text size="sm" c="dimmed">
          {author} · <When at={time} />
        </Text>
        {removable && may(session, 'comments/remove-comment') && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            loading={remove.isPending}
            aria-label={t`Remove the comment by ${author}`}
            onClick={() => remove.mutate({ hostname, id })}
          >
            <Trans>Remove</Trans>
          </Button>
        )}
      </Group>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
      {remove.isError && <Problem error={remove.error} />}
    </Paper>
  );
}
