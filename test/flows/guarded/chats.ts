import { postTelegram, startBot, telegramUpdate } from "../../support/chat-platforms/bot-server.ts";
import { chatEnvironment } from "../../support/chat-platforms/chat-environment.ts";
import { postWhatsapp, startGraph, whatsappMessage } from "../../support/chat-platforms/graph-server.ts";
import { until } from "../../support/chat-platforms/platform-server.ts";
import { postSlack, slackEvent, startSlack } from "../../support/chat-platforms/slack-server.ts";
import type { Client } from "../../support/client.ts";

type Servers = {
  readonly graph: Awaited<ReturnType<typeof startGraph>>;
  readonly bot: Awaited<ReturnType<typeof startBot>>;
  readonly slack: Awaited<ReturnType<typeof startSlack>>;
};
let servers: (Servers & { readonly url: string }) | undefined;
let senders = 0;

/**
 * Starts what stands where the chat platforms stand.
 *
 * @returns the environment of a platform whose chats the guarded agent answers, and its end
 */
export async function startGuardedChats() {
  const [graph, bot, slack] = await Promise.all([startGraph(), startBot(), startSlack()]);
  const started = { graph, bot, slack };
  const agent = "agents/guarded";
  const env = chatEnvironment(started, { whatsapp: agent, telegram: agent, slack: agent });
  /** @param url  of the platform that has the environment */
  const serve = (url: string) => {
    servers = { ...started, url };
  };
  return { env, serve, stop: () => Promise.all([graph.stop(), bot.stop(), slack.stop()]) };
}

type Listed = { readonly user_id?: string; readonly input_preview: string };

/** Sends a message in a chat of its own, and returns what the person is shown, and the run, which says why it failed. */
const said =
  (
    prefix: string,
    send: (url: string, words: string, sender: number, chats: Servers) => Promise<() => readonly string[]>,
  ) =>
  async (client: Client, words: string): Promise<string> => {
    if (!servers) throw new Error("there are no chats");
    senders += 1;
    const texts = await send(servers.url, words, senders, servers);
    const shown = await until(() => texts().length > 0 && texts(), "an answer");
    const { json } = await client.get("/runs?limit=100");
    const ofChat = json.data.filter(
      ({ user_id, input_preview }: Listed) => user_id?.startsWith(prefix) && input_preview.includes(words),
    );
    return [...shown, JSON.stringify(ofChat)].join("\n");
  };

export const chatWays = {
  receiveWhatsappWebhook: said("wa:", async (url, body, sender, { graph }) => {
    const from = `1555${9000 + sender}`;
    await postWhatsapp(url, whatsappMessage({ from, text: { body } }));
    return () => graph.textsTo(from);
  }),
  receiveTelegramWebhook: said("tg:", async (url, text, sender, { bot }) => {
    const id = 9000 + sender;
    const chat = { id, type: "private" };
    await postTelegram(url, telegramUpdate({ text, chat, from: { id, is_bot: false, first_name: "Ada" } }));
    return () => bot.textsIn(id);
  }),
  receiveSlackEvent: said("sl:", async (url, text, sender, { slack }) => {
    const channel = `D${9000 + sender}`;
    await postSlack(url, slackEvent({ text, channel }));
    return () => slack.textsIn(channel);
  }),
} as const;
