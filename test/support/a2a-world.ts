import { type Answer, type Client, clientOf, type Sent } from "./client.ts";
import { HANGS_AFTER_MS } from "./hangs-after.ts";
import { startPlatform, type TestPlatform } from "./platform.ts";

const kinds = ["agents", "teams", "workflows"] as const;
const everyScope = kinds.flatMap((kind) => [`${kind}:read`, `${kind}:run`]);

/** A platform with agents, and callers who may run and read them all. */
export type A2aWorld = Awaited<ReturnType<typeof startA2aWorld>>;

export async function startA2aWorld() {
  const platform: TestPlatform = await startPlatform();
  const as = (sub: string, ...scopes: string[]): Client =>
    clientOf(platform.url, platform.token(sub, scopes.length > 0 ? scopes : everyScope));
  return {
    platform,
    url: platform.url,
    as,
    maria: as("maria"),
    otto: as("otto"),
    admin: clientOf(platform.url, platform.adminToken),
    token: (sub: string) => platform.token(sub, everyScope),
    stop: () => platform.stop(),
  };
}

export const assistant = "/a2a/agents/assistant";
export const refundDesk = "/a2a/agents/refund-desk";
export const team = "/a2a/teams/support-team";
export const workflow = "/a2a/workflows/publish-report";
export const REFUND = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';

const V1 = { "a2a-version": "1.0" };

type Asked = {
  readonly message?: object;
  readonly configuration?: object;
  readonly headers?: Sent["headers"];
};

/** A message of version 1.0. */
export const messageOf = (text: string, more: object = {}) => ({
  messageId: crypto.randomUUID(),
  role: "ROLE_USER",
  parts: [{ text }],
  ...more,
});

/** Sends a text by the HTTP binding of version 1.0. */
export const send = (
  client: Client,
  root: string,
  text: string,
  { message, configuration, headers }: Asked = {},
): Promise<Answer> =>
  client.post(`${root}/v1/message:send`, {
    json: { message: messageOf(text, message), ...(configuration && { configuration }) },
    headers: { ...V1, ...headers },
  });

/** The same without waiting: the task as it was accepted. */
export const begin = async (client: Client, root: string, text: string, message: object = {}) =>
  (await send(client, root, text, { message, configuration: { returnImmediately: true } })).json.task;

export const rest = (client: Client, method: string, path: string, sent: Sent = {}): Promise<Answer> =>
  client.call(method, path, { ...sent, headers: { ...V1, ...sent.headers } });

/** Calls a method by JSON-RPC. */
export const rpc = (client: Client, root: string, method: string, params?: unknown, id: unknown = "q-1") =>
  client.post(root, { json: { jsonrpc: "2.0", id, method, params } });

/** A message in the envelope dialect. */
export const envelopeOf = (text: string, message: object = {}, more: object = {}) => ({
  id: "q-1",
  params: {
    message: { messageId: "m-1", role: "user", parts: [{ kind: "text", text }], ...message },
    ...more,
  },
});

/** What a stream of unnamed events carries. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
export function dataOf(text: string): any[] {
  return text
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: "))
    .map((frame) => JSON.parse(frame.slice(6)));
}

/** Waits until a task has ended or asks for something. */
export async function settled(client: Client, root: string, id: string) {
  for (const until = Date.now() + HANGS_AFTER_MS; ; await new Promise((resolve) => setTimeout(resolve, 25))) {
    const { json } = await rest(client, "GET", `${root}/v1/tasks/${id}`);
    if (!/SUBMITTED|WORKING/.test(json.status.state)) return json;
    if (Date.now() > until) throw new Error(`task ${id} does not settle: ${json.status.state}`);
  }
}
