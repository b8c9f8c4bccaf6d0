import { BOT_TOKEN, type Bot, WEBHOOK_SECRET } from "./bot-server.ts";
import { ACCESS_TOKEN, APP_SECRET, type Graph, PHONE, VERIFY_TOKEN } from "./graph-server.ts";
import { SIGNING_SECRET, SLACK_TOKEN, type SlackServer } from "./slack-server.ts";

type Servers = { readonly graph: Graph; readonly bot: Bot; readonly slack: SlackServer };
type Components = { readonly whatsapp: string; readonly telegram: string; readonly slack: string };

/**
 * Variables with which all three chats are on, against these servers.
 *
 * @param components  who answers each
 * @param feedback    by what answers are judged in each; by nothing without it
 */
export const chatEnvironment = (
  { graph, bot, slack }: Servers,
  components: Components,
  feedback: Partial<Components> = {},
) => ({
  WHATSAPP: JSON.stringify({
    ...{ component: components.whatsapp, phone_number_id: PHONE, api_url: graph.url },
    feedback: feedback.whatsapp,
  }),
  WHATSAPP_ACCESS_TOKEN: ACCESS_TOKEN,
  WHATSAPP_APP_SECRET: APP_SECRET,
  WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
  TELEGRAM: JSON.stringify({
    ...{ component: components.telegram, api_url: bot.url },
    feedback: feedback.telegram,
  }),
  TELEGRAM_TOKEN: BOT_TOKEN,
  TELEGRAM_WEBHOOK_SECRET_TOKEN: WEBHOOK_SECRET,
  SLACK: JSON.stringify({ component: components.slack, api_url: slack.url, feedback: feedback.slack }),
  SLACK_TOKEN,
  SLACK_SIGNING_SECRET: SIGNING_SECRET,
});
