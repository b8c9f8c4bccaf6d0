import { setTimeout as pause } from "node:timers/promises";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import * as v from "valibot";
import { runsCaller } from "../../functions/chat-worker/call-runs.ts";
import type { ChatWorkerDeps } from "../../functions/chat-worker/chat-worker-deps.ts";
import { handleMessage } from "../../functions/chat-worker/handle-message.ts";
import { runHandlers } from "../../functions/runs/run-handlers.ts";
import { signatureChecks } from "../../functions/webhooks/check-signature.ts";
import { getSlackStatus } from "../../functions/webhooks/get-slack-status.ts";
import { getTelegramStatus } from "../../functions/webhooks/get-telegram-status.ts";
import { getWhatsappStatus } from "../../functions/webhooks/get-whatsapp-status.ts";
import { receiveSlackEvent } from "../../functions/webhooks/receive-slack-event.ts";
import { receiveSlackInteraction } from "../../functions/webhooks/receive-slack-interaction.ts";
import { receiveTelegramWebhook } from "../../functions/webhooks/receive-telegram-webhook.ts";
import { receiveWhatsappWebhook } from "../../functions/webhooks/receive-whatsapp-webhook.ts";
import { verifyWhatsappWebhook } from "../../functions/webhooks/verify-whatsapp-webhook.ts";
import type { WebhooksDeps } from "../../functions/webhooks/webhooks-deps.ts";
import { connectChatSecrets } from "../../shared/chat/chat-secrets.ts";
import { connectSlack } from "../../shared/chat/slack/connect-slack.ts";
import { connectTelegram } from "../../shared/chat/telegram/connect-telegram.ts";
import { connectWhatsapp } from "../../shared/chat/whatsapp/connect-whatsapp.ts";
import { findInRegistry, knowsRunnableIn } from "../../shared/engine/component/find-runnable.ts";
import type { Agent } from "../../shared/engine/define/agent.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import { serve } from "../../shared/http/serve.ts";
import type { ChatWakeup } from "../../shared/queue/chat-queue.ts";
import { matchRoute } from "../../shared/routes/matching/match.ts";
import { runRoutes } from "../../shared/routes/runs.ts";
import { webhookRoutes } from "../../shared/routes/webhooks.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { SlackSettings, TelegramSettings, WhatsappSettings } from "../../shared/settings/values/chats.ts";
import { chatWork } from "../../shared/stores/chats/chat-work.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { runFrom, wholeRun } from "../../shared/stores/runs/run-item.ts";
import { BOT_TOKEN, type Bot, WEBHOOK_SECRET } from "./chat-platforms/bot-server.ts";
import {
  ACCESS_TOKEN,
  APP_SECRET,
  type Graph,
  PHONE,
  signatureOf,
  VERIFY_TOKEN,
} from "./chat-platforms/graph-server.ts";
import { jumpingClock } from "./chat-platforms/jumping-clock.ts";
import { SIGNING_SECRET, SLACK_TOKEN, slackHeaders } from "./chat-platforms/slack-server.ts";
import { queueWorld } from "./queue-world.ts";
import { registry } from "./registry/index.ts";

type Options = {
  readonly whatsapp?: Readonly<Record<string, unknown>> | "off";
  readonly telegram?: Readonly<Record<string, unknown>> | "off";
  /** Off unless it is given. */
  readonly slack?: Readonly<Record<string, unknown>>;
  readonly chatBusy?: "queue" | "steer";
  readonly secrets?: Readonly<Record<string, string | undefined>>;
  readonly models?: Models;
  /** Beside those of the registry. */
  readonly agents?: readonly Agent[];
};

/** Chats call no tool of the MCP server. */
const noMcp = {
  registry: { agents: [], teams: [], workflows: [] },
  ...{
    knowledge: [],
    tools: "",
    live: { kept: async () => [], anew: async () => [] },
    origins: new Set<string>(),
    issuers: [],
    signsIn: false,
    confirms: false,
    recordAudit: async () => undefined,
    publicUrl: undefined,
    osId: "test",
  },
};

const LIFE_MS = 150_000;
/** How long a message stays out of sight whose worker died. */
const VISIBILITY_MS = 180_000;

/**
 * Webhook routes, queue, chat worker, run routes and workers in one process, over a real store and against servers that
 * stand for the platforms. Time can be moved on.
 */
export function chatWorld(db: Db, graph: Graph, bot: Bot, options: Options = {}) {
  const clock = jumpingClock();
  const hosted = { ...registry, agents: [...registry.agents, ...(options.agents ?? [])] };
  const world = {
    ...queueWorld(db, {}, clock),
    ...(options.models && { models: options.models }),
    findRunnable: findInRegistry(hosted),
    knowsRunnable: knowsRunnableIn(hosted, db),
  };
  const lines: string[] = [];
  const write = (message: string, fields?: object) => void lines.push(JSON.stringify({ message, ...fields }));
  const log = { info: write, warn: write, error: write };
  const httpOptions = { origins: new Set<string>(), maxBodyBytes: 4_700_000, log };
  const secrets = connectChatSecrets(
    {
      WHATSAPP_ACCESS_TOKEN: ACCESS_TOKEN,
      WHATSAPP_APP_SECRET: APP_SECRET,
      WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
      TELEGRAM_TOKEN: BOT_TOKEN,
      TELEGRAM_WEBHOOK_SECRET_TOKEN: WEBHOOK_SECRET,
      SLACK_TOKEN,
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      ...options.secrets,
    },
    clock,
  );
  const whatsapp =
    options.whatsapp === "off"
      ? undefined
      : v.parse(WhatsappSettings, {
          component: "agents/assistant",
          phone_number_id: PHONE,
          api_url: graph.url,
          // The platforms' own ids: what the interface says of them is tested so.
          user_id_prefix: "",
          ...options.whatsapp,
        });
  const telegram =
    options.telegram === "off"
      ? undefined
      : v.parse(TelegramSettings, {
          component: "agents/refund-desk",
          api_url: bot.url,
          user_id_prefix: "",
          ...options.telegram,
        });

  const slack =
    options.slack && v.parse(SlackSettings, { component: "agents/refund-desk", ...options.slack });

  const { chatBusy = "queue" } = options;
  const queue = chatQueueInHand();
  const webhooksDeps: WebhooksDeps = { db, queue, secrets, whatsapp, telegram, slack, chatBusy, clock, log };
  const handlers = {
    verifyWhatsappWebhook,
    receiveWhatsappWebhook,
    getWhatsappStatus,
    receiveTelegramWebhook,
    getTelegramStatus,
    receiveSlackEvent,
    receiveSlackInteraction,
    getSlackStatus,
  };
  const webhooks = serve(webhookRoutes, handlers, webhooksDeps, httpOptions, {
    checkSignature: signatureChecks(webhooksDeps),
  });
  const runs = serve(runRoutes, runHandlers, { ...world, mcp: noMcp }, httpOptions);
  const workerDeps: ChatWorkerDeps = {
    db,
    queue,
    ports: {
      ...(whatsapp && { whatsapp: connectWhatsapp(whatsapp, secrets.whatsapp) }),
      ...(telegram && { telegram: connectTelegram(telegram, secrets.telegram, clock) }),
      ...(slack && { slack: connectSlack(slack, secrets.slack, clock) }),
    },
    callRuns: runsCaller({
      functions: { runs: "runs" },
      adminScope: "platform:admin",
      invoke: async (_name, payload) => ({
        payload: JSON.stringify(await runs(JSON.parse(payload), context)),
        failed: false,
      }),
      clock,
      newRequestId: newId,
    }),
    chatBusy,
    newWorkerId: newId,
    clock,
    log,
  };

  /** Runs that are executed now, and groups of messages that are processed. */
  const busy = new Set<Promise<unknown>>();
  const heldGroups = new Set<string>();
  const during = (work: Promise<unknown>): void => {
    busy.add(work);
    void work.catch(() => undefined).finally(() => busy.delete(work));
  };
  const startRuns = (): void => {
    for (const { job_id, hop } of world.queue.sent.splice(0)) {
      const { findRunnable, models } = world;
      during(world.deliver(job_id, { chats: queue, findRunnable, models }, hop));
    }
  };
  /** The deps of the next process that takes a message; a test replaces them by ones that die. */
  let processOf = (): ChatWorkerDeps => workerDeps;
  const work = async (wakeup: ChatWakeup): Promise<void> => {
    heldGroups.add(wakeup.group);
    try {
      const handled = await handleMessage(processOf(), wakeup.key, clock.now() + LIFE_MS);
      if (handled === "done") return;
      await clock.sleep(handled.again_after_seconds * 1000);
      queue.sent.unshift(wakeup);
    } catch {
      // The process died: the queue is not notified, and the message is seen again when its visibility ends.
      await clock.sleep(VISIBILITY_MS);
      queue.sent.unshift(wakeup);
    } finally {
      heldGroups.delete(wakeup.group);
    }
  };
  const startMessages = (): void => {
    for (const wakeup of [...queue.sent]) {
      if (heldGroups.has(wakeup.group)) continue;
      queue.sent.splice(queue.sent.indexOf(wakeup), 1);
      heldGroups.add(wakeup.group);
      during(work(wakeup));
    }
  };
  /** Works on until nothing is left to do. @param stepMs by which time moves on meanwhile, every 10 ms */
  const settle = async (stepMs = 0): Promise<void> => {
    for (let quiet = 0; quiet < 3; ) {
      startRuns();
      startMessages();
      await pause(10);
      if (stepMs > 0) clock.advance(stepMs);
      quiet = busy.size === 0 && queue.sent.length === 0 && world.queue.sent.length === 0 ? quiet + 1 : 0;
    }
  };
  const ask = async (method: string, path: string, body?: string, headers = {}, isBase64Encoded = false) => {
    const [rawPath = "", rawQueryString = ""] = path.split("?");
    const event = eventOf(method, rawPath, rawQueryString, headers, body, isBase64Encoded);
    const {
      statusCode = 0,
      body: text = "",
      headers: responseHeaders = {},
    } = (await webhooks(event, context)) as HttpAnswer;
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
    const json: any = responseHeaders["content-type"] === "application/json" ? JSON.parse(text) : undefined;
    return { status: statusCode, text, json, type: responseHeaders["content-type"] };
  };
  const scan = async (table: "jobs" | "runs" | "chats") =>
    (await db.client.send(new ScanCommand({ TableName: db.tables[table] }))).Items ?? [];
  return {
    ...world,
    clock,
    queue,
    lines,
    workerDeps,
    ask,
    settle,
    startRuns,
    startMessages,
    processesAre: (make: () => ChatWorkerDeps): void => {
      processOf = make;
    },
    /** Calls the run routes as a principal with every scope. */
    asAdmin: async (path: string, form: Readonly<Record<string, string>>) => {
      const principal = { kind: "user", user_id: "admin", scopes: ["platform:admin"], admin: true };
      const found = matchRoute("POST", path);
      const operation = found && "operation" in found ? found.operation : "";
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const event = eventOf("POST", path, "", headers, new URLSearchParams(form).toString(), false);
      const decision = JSON.stringify({ outcome: "allow", operation, principal });
      const requestContext = { ...event.requestContext, authorizer: { lambda: { decision } } };
      const answer = (await runs({ ...event, requestContext }, context)) as HttpAnswer;
      if (answer.statusCode !== 202) throw new Error(`${answer.statusCode} ${answer.body}`);
    },
    whatsapp: (payload: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const body = typeof payload === "string" ? payload : JSON.stringify(payload);
      return ask("POST", "/whatsapp/webhook", body, { "x-hub-signature-256": signatureOf(body), ...headers });
    },
    telegram: (update: unknown, headers: Readonly<Record<string, string>> = {}) =>
      ask("POST", "/telegram/webhook", JSON.stringify(update), {
        "x-telegram-bot-api-secret-token": WEBHOOK_SECRET,
        ...headers,
      }),
    slack: (envelope: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const body = typeof envelope === "string" ? envelope : JSON.stringify(envelope);
      const signed = slackHeaders(body, epochSeconds(clock));
      return ask("POST", "/slack/events", body, { ...signed, ...headers });
    },
    pressInSlack: (payload: unknown) => {
      const text = typeof payload === "string" ? payload : JSON.stringify(payload);
      const body = new URLSearchParams({ payload: text }).toString();
      return ask("POST", "/slack/interactions", body, {
        "content-type": "application/x-www-form-urlencoded",
        ...slackHeaders(body, epochSeconds(clock)),
      });
    },
    sweepChats: () => chatWork.sweep(db, queue, epochSeconds(clock)),
    /** Jobs of a person, oldest first. */
    jobsOf: async (owner: string): Promise<StoredJob[]> => {
      const items = (await scan("jobs")).filter((item) => item.sk === "job" && item.user_id === owner);
      return (items as unknown as StoredJob[]).sort((a, b) => (a.id < b.id ? -1 : 1)); // as stored
    },
    /** Runs of a person, oldest first. */
    runsOf: async (owner: string) => {
      const items = (await scan("runs"))
        .filter((item) => String(item.sk).startsWith("run#") && item.owner === owner)
        .sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1));
      const whole = items.map((item) => wholeRun(db, runFrom(item, epochSeconds(clock))));
      // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
      return Promise.all<any>(whole);
    },
    messages: async () => (await scan("chats")).filter(({ sk }) => sk === "message"),
  };
}
export type ChatWorld = ReturnType<typeof chatWorld>;

type HttpAnswer = { statusCode?: number; body?: string; headers?: Record<string, string> };

/** The queue's port with the deliveries in the test's hand; what is sent once within five minutes is there once. */
function chatQueueInHand() {
  const sent: ChatWakeup[] = [];
  const known = new Set<string>();
  return {
    sent,
    reachable: true,
    async send(wakeup: ChatWakeup): Promise<void> {
      if (!this.reachable) throw new Error("the queue is not reachable");
      if (known.has(wakeup.once)) return;
      known.add(wakeup.once);
      sent.push(wakeup);
    },
    /** It was sent already, by another process. */
    know: (once: string) => void known.add(once),
    /** Five minutes have passed. */
    forget: () => known.clear(),
  };
}

/** Only what the pipeline reads of it. */
const context = { getRemainingTimeInMillis: () => 29_000, awsRequestId: "test" } as Context;

function eventOf(
  method: string,
  rawPath: string,
  rawQueryString: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  isBase64Encoded: boolean,
): APIGatewayProxyEventV2 {
  const http = { method, path: rawPath, protocol: "HTTP/1.1", sourceIp: "1.2.3.4", userAgent: "platform" };
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString,
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body }),
    isBase64Encoded,
    requestContext: {
      accountId: "",
      apiId: "",
      domainName: "",
      domainPrefix: "",
      routeKey: "$default",
      stage: "$default",
      requestId: newId(),
      time: "",
      timeEpoch: 0,
      http,
    },
  };
}
