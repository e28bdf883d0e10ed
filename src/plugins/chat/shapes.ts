import type { JsonObject } from '../../ports/json.ts';
import type { Notification } from '../../ports/notification-channel.ts';

/** Longer texts are refused by some of them. */
const LONGEST = 2500;

interface Chat {
  readonly id: string;
  readonly title: string;
  readonly shape: (notification: Notification) => JsonObject;
}

export const CHATS: readonly Chat[] = [
  { id: 'slack', title: 'Slack', shape: slack },
  { id: 'mattermost', title: 'Mattermost', shape: mattermost },
  { id: 'teams', title: 'Microsoft Teams', shape: teams },
];

function slack(notification: Notification): JsonObject {
  const mrkdwn = (text: string): JsonObject => ({ type: 'mrkdwn', text, verbatim: true });
  const section = (text: string): JsonObject => ({ type: 'section', text: mrkdwn(text) });
  const { title, text, link } = notification;
  return {
    text: slackText(title),
    blocks: [
      section(`*${slackText(title)}*`),
      ...(text === '' ? [] : [section(slackText(text))]),
      { type: 'context', elements: [mrkdwn(slackText(footOf(notification)))] },
      ...(link === undefined ? [] : [section(`<${link}|Open in Muster>`)]),
    ],
  };
}

function mattermost(notification: Notification): JsonObject {
  const { title, text, link } = notification;
  const lines = [`**${markdownText(title)}**`, markdownText(text), markdownText(footOf(notification))];
  return {
    text: [...lines, link === undefined ? '' : `[Open in Muster](${link})`].filter((line) => line !== '').join('\n\n'),
  };
}

/** An Adaptive Card, as workflows of Teams take it. */
function teams(notification: Notification): JsonObject {
  const { title, text, link } = notification;
  const block = (words: string, more: JsonObject = {}): JsonObject => ({
    type: 'TextBlock',
    text: markdownText(words),
    wrap: true,
    ...more,
  });
  const content: JsonObject = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(title, { weight: 'Bolder', size: 'Medium' }),
      ...(text === '' ? [] : [block(text)]),
      block(footOf(notification), { isSubtle: true, size: 'Small' }),
    ],
    ...(link === undefined ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open in Muster', url: link }] }),
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] };
}

function footOf({ rule, at, id }: Notification): string {
  return `${rule} · ${at} · ${id}`;
}

/** Text from data must not mention anyone or create links. */
function slackText(text: string): string {
  return unlinked(shortened(text)).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function markdownText(text: string): string {
  return unlinked(shortened(text))
    .replaceAll(/[\\`*_{}[\]()#+!|<>~]/g, '\\$&')
    .replaceAll('@', '@\u200b');
}

/** Chats make a link of what looks like an address, without being asked: an unseen sign in it keeps them from that. */
function unlinked(text: string): string {
  return text.replaceAll(/:(?=\/\/)|\b(?:mailto|tel):|\bwww(?=\.)/gi, '$&\u200b');
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} …`;
}
