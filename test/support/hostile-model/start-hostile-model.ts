import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { bedrockConverse } from "./bedrock-converse.ts";
import { chatCompletions } from "./chat-completions.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Json, Protocol } from "./protocol.ts";
import { restOfAnswer } from "./rest-of-answer.ts";
import { sendReply } from "./send-reply.ts";
import type { Reply } from "./turn.ts";

export const protocols: readonly Protocol[] = [
  openaiResponses,
  chatCompletions,
  anthropicMessages,
  bedrockConverse,
];

export const providers: readonly string[] = protocols.map(({ provider }) => provider);

export type ModelRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
  /** Whether the client has gone before the answer was whole. */
  readonly isLeft: () => boolean;
};

/** What a plan's requests are answered with, one after the other; a function is asked for each. */
export type Replies = readonly Reply[] | ((request: ModelRequest, at: number) => Reply);

export type HostileModel = {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** The settings by which a platform reaches it under each provider's own protocol. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Queues replies for the requests that name a plan in their conversation.
   *
   * @returns what such a conversation has to contain, and what was requested with it so far
   */
  readonly plan: (name: string, replies: Replies) => { readonly requests: readonly ModelRequest[] };
  readonly stop: () => Promise<void>;
};

/** A request names its plan by the first text of this form in its body. */
const PLAN = /\bplan-[a-z0-9]+(?:[-.][a-z0-9]+)*/;

/**
 * A model service that speaks four protocols and fails as a test plans it. What happens to a request depends on the request
 * alone, so that many tests may share it, also over a platform that runs many of them at once.
 */
export async function startHostileModel(): Promise<HostileModel> {
  const plans = new Map<string, { readonly replies: Replies; readonly requests: ModelRequest[] }>();
  const server = createServer(async (incoming, response) => {
    const path = decodeURI(incoming.url ?? "");
    const written = await text(incoming);
    const protocol = protocols.find(({ serves }) => serves(path));
    const plan = plans.get(PLAN.exec(written)?.[0] ?? "");
    if (!protocol || !plan) {
      response.writeHead(404).end();
      return;
    }
    const body: Json = JSON.parse(written);
    const request = requestOf(incoming, response, path, body);
    const at = plan.requests.push(request) - 1;
    const reply = typeof plan.replies === "function" ? plan.replies(request, at) : plan.replies[at];
    const sent = reply?.goesOn && reply.text ? { ...reply, text: restOfAnswer(reply.text, body) } : reply;
    await sendReply(sent ?? unplanned(at), protocol, protocol.streams(path, body), response);
  });
  const { address, stop } = await serveOnLoopback(server);
  return {
    url: address,
    environment: environmentOf(address),
    plan: (name, replies) => {
      if (PLAN.exec(name)?.[0] !== name) throw new Error(`${name} does not name a plan`);
      const planned = { replies, requests: [] };
      plans.set(name, planned);
      return planned;
    },
    stop,
  };
}

/** A request that is not expected is refused in a way that no client repeats. */
const unplanned = (at: number): Reply => ({
  fails: { kind: "status", status: 422, message: `request ${at + 1} is not planned` },
});

function requestOf(
  { headers }: IncomingMessage,
  response: ServerResponse,
  path: string,
  body: Json,
): ModelRequest {
  let isLeft = false;
  response.on("close", () => {
    isLeft = !response.writableFinished;
  });
  return { path, headers, body, isLeft: () => isLeft };
}

function environmentOf(url: string): Record<string, string> {
  return {
    MODEL: "openai-compatible:hostile",
    MODEL_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "key-openai",
    ANTHROPIC_API_KEY: "key-anthropic",
    MODEL_PROVIDERS: JSON.stringify({
      openai: { baseUrl: `${url}/v1` },
      anthropic: { baseUrl: `${url}/v1` },
      "amazon-bedrock": { baseUrl: url, models: ["amazon.nova-hostile-v1:0"] },
    }),
  };
}
