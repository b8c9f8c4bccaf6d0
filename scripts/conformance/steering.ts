import { isObject, parsedJson } from "../../shared/schemas/values/json-values.ts";

/** Version of the protocol that a kit checks. */
export type KitVersion = "1.0" | "0.3";

/** The agent that the kits test: one of its tools pauses for user input, and any text is valid input. */
export const TESTED_AGENT = "account-desk";

/** How long the kits wait for a part of a stream; they require tasks that take a multiple of it. */
export const STREAM_TIMEOUT_SECONDS = 2;

const sleep = (timeouts: number): string => `[[sleep:${timeouts * STREAM_TIMEOUT_SECONDS * 1000}]]`;
const ASK = '[[tool:file_complaint {"account":"K-7"}]]';

/** What a message makes the agent do, by the prefix of the message's id; the first that matches counts. */
const scripts: readonly (readonly [prefix: string, text: string])[] = [
  ["tck-input-required", ASK],
  ["tck-reject-task", "[[fail:rejected]]"],
  ["tck-delayed-complete", sleep(1)],
  ["tck-artifact-text", "[[answer:Generated text content]]"],
  ["tck-artifact-data", '[[answer:{"key":"value","count":42}]]'],
  ["tck-message-response", "[[answer:Direct message response]]"],
  ["test-resubscribe-message-id", sleep(2)],
];

/** The kit of 0.3 requires tasks that work for a second, then pause for input, and pause again after every answer. */
const STAYS_OPEN = `[[sleep:1000]]${ASK.repeat(5)}`;

type Json = Record<string, unknown>;

/**
 * Rewrites a request of a kit for the scripted model. The kits instruct the tested agent by the ids of messages, which no
 * model sees, so the instruction is put into the text. Answers to a task stay as they are.
 *
 * @returns the body, rewritten where it has a message that starts a task
 */
export function steer(body: string, version: KitVersion): string {
  const message = messageIn(body);
  if (!message) return body;
  // The kit of 0.3 writes protocol buffers by HTTP, in their own spelling.
  const { messageId, message_id: id = messageId, taskId, task_id = taskId } = message.inner;
  if (task_id || typeof id !== "string") return body;
  const script = scripts.find(([prefix]) => id.startsWith(prefix))?.[1] ?? (version === "0.3" && STAYS_OPEN);
  // The HTTP binding of 0.3 names them `content`.
  const parts = message.inner.parts ?? message.inner.content;
  const [part] = Array.isArray(parts) ? parts : [];
  if (!script || !isObject(part) || typeof part.text !== "string") return body;
  part.text = script;
  return JSON.stringify(message.whole);
}

/** The message in a body of either binding. */
function messageIn(body: string): { readonly whole: Json; readonly inner: Json } | undefined {
  if (!/"message(?:Id|_id)"/.test(body)) return undefined;
  // Some requests of a kit are malformed on purpose.
  const whole = parsedJson(body);
  if (!isObject(whole)) return undefined;
  const params = isObject(whole.params) ? whole.params : whole;
  return isObject(params.message) ? { whole, inner: params.message } : undefined;
}
