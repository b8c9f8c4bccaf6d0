import type { Clock } from "../../runtime/clock.ts";
import type { SlackSettings } from "../../settings/values/chats.ts";
import { answerParts } from "../answer-parts.ts";
import type { Addressed, ChatPart, ChatPort, Sent } from "../chat-port.ts";
import type { ChatSecrets } from "../chat-secrets.ts";
import { judgesBy } from "../feedback.ts";
import { liveAnswer } from "../live-answer.ts";
import { limitersOf, rateLimiter } from "../rate-limiter.ts";
import { finishLive, liveMessage, type Place, postMessage, postText } from "./live-message.ts";
import { type SlackClient, slackClient } from "./slack-client.ts";
import { fetchSlackMedium, sendSlackMedium } from "./slack-media.ts";
import { answeredMessage, questionMessage } from "./slack-question.ts";
import { slackBlockChunks, slackChunks } from "./slack-text.ts";
import { textMessage } from "./text-message.ts";

/** Slack shows for two minutes that a thread is being worked on, or until the next message. */
const TYPING_EVERY_MS = 100_000;
/** Edits of one thread. A workspace accepts about fifty a minute, over all its threads. */
const EVERY_MS = 3_000;

/** Slack, as the worker uses it. Every answer goes into the thread of its question. */
export function connectSlack(settings: SlackSettings, secrets: ChatSecrets["slack"], clock: Clock): ChatPort {
  const token = async () => {
    const { token } = await secrets();
    if (!token) throw new Error("the token of the Slack app is not configured");
    return token;
  };
  const client = slackClient(settings, token, clock);
  const isBlocked = () =>
    Math.max(client.blockedUntil("chat.update"), client.blockedUntil("chat.postMessage"));
  const limiterOf = limitersOf(() => rateLimiter(isBlocked, clock, EVERY_MS));
  const chunksOf = judgesBy(settings.feedback, "buttons") ? slackBlockChunks : slackChunks;
  return {
    texts: settings.texts,
    component: settings.component,
    mediaMaxMb: settings.media_max_mb,
    feedback: settings.feedback,
    typingEveryMs: TYPING_EVERY_MS,
    maxAgeSeconds: undefined,
    showTyping: async (message) => {
      const { channel: channel_id, thread_ts } = placeOf(message);
      if (client.blockedUntil("assistant.threads.setStatus") > clock.now()) return;
      const status = settings.texts.working;
      await client.call("assistant.threads.setStatus", { channel_id, thread_ts, status });
    },
    partsOf: (answer) => answerParts(settings, answer, chunksOf),
    send: async (message, part, { index }) => {
      const place = placeOf(message);
      const { live_id } = message;
      if (live_id !== undefined && index === 0 && part.kind === "text") {
        await limiterOf(place.channel + place.thread_ts).waitTurn();
        const finished = await finishLive(client, place, live_id, textMessage(part, settings.texts));
        if (finished) return finished;
      }
      return sendPart(client, settings, place, part);
    },
    fetchMedium: (medium) => fetchSlackMedium(client, settings, medium),
    admit: async ({ work }) => work,
    acknowledgeButton: async (message, { callback_id: user, question, approved }, effect) => {
      const { channel, thread_ts } = placeOf(message);
      if (effect === "not_theirs") {
        const text = settings.texts.not_asker;
        await client.call("chat.postEphemeral", { channel, thread_ts, user, text });
      } else if (question !== undefined) {
        const answer = approved ? settings.texts.approve : settings.texts.decline;
        const answered = answeredMessage(question, effect === "applied" ? answer : undefined);
        await client.call("chat.update", { channel, ts: message.message_id, ...answered });
      }
    },
    ...(settings.streaming && {
      live: (message, onSent) => {
        const place = placeOf(message);
        const rate = limiterOf(place.channel + place.thread_ts);
        return liveAnswer(liveMessage(client, place), rate, message.live_id, onSent);
      },
    }),
  };
}

function placeOf({ target }: Addressed): Place {
  if (target.platform !== "slack") throw new Error("a message of another platform");
  return { channel: target.channel, thread_ts: target.thread_ts };
}

async function sendPart(
  client: SlackClient,
  { media_timeout_seconds, texts }: SlackSettings,
  place: Place,
  part: ChatPart,
): Promise<Sent> {
  switch (part.kind) {
    case "text":
      return postText(client, place, textMessage(part, texts));
    case "medium":
      return sendSlackMedium(client, place, part.medium, media_timeout_seconds);
    case "question":
      return postMessage(client, place, questionMessage(part));
    case "prepared":
      // No tool prepares messages in this platform's format.
      return { sent: false, retry: "never", code: "another platform's" };
  }
}
