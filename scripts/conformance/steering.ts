import { isObject } from "../../shared/schemas/values/is-object.ts";
import { parsedJson } from "../../shared/schemas/values/json-text.ts";

/** Of the protocol that a kit checks. */
export type KitVersion = "1.0" | "0.3";

/** The agent that the kits talk to: one of its tools waits for a person's words, which any text can be. */
export const TESTED_AGENT = "account-desk";

/** What the kits are told how long to wait for a part of a stream; they want tasks that take a multiple of it. */
export const STREAM_TIMEOUT_SECONDS = 2;

const sleep = (timeouts: number): string => `[[sleep:${timeouts * STREAM_TIMEOUT_SECONDS * 1000}]]`;
const ASK = '[[tool:file_complaint {"account":"K-7"}]]';

/** What a message is to make the agent do, by the beginning of its id; of several that fit, the first. */
const plays: readonly (readonly [prefix: string, text: string])[] = [
  ["tck-input-required", ASK],
  ["tck-reject-task", "[[fail:rejected]]"],
  ["tck-delayed-complete", sleep(1)],
  ["tck-artifact-text", "[[answer:Generated text content]]"],
  ["tck-artifact-data", '[[answer:{"key":"value","count":42}]]'],
  ["tck-message-response", "[[answer:Direct message response]]"],
  ["test-resubscribe-message-id", sleep(2)],
];

/** The kit of 0.3 wants tasks that work for a second, then ask, and ask again whatever is answered. */
const STAYS_OPEN = `[[sleep:1000]]${ASK.repeat(5)}`;

type Json = Record<string, unknown>;

/**
 * A request of a kit as the scripted model has to see it. The kits tell the tested agent what to do by the ids of
 * messages, which no model sees, so the text says it instead. Answers to a task stay as they are.
 *
 * @returns the body, rewritten where it carries a message that begins a task
 * @source contract, a2a section 13
 */
export function steer(body: string, version: KitVersion): string {
  const message = messageIn(body);
  if (!message || message.held.taskId || typeof message.held.messageId !== "string") return body;
  const id = message.held.messageId;
  const play = plays.find(([prefix]) => id.startsWith(prefix))?.[1] ?? (version === "0.3" && STAYS_OPEN);
  // The HTTP binding of 0.3 has its own word for them.
  const parts = message.held.parts ?? message.held.content;
  const [part] = Array.isArray(parts) ? parts : [];
  if (!play || !isObject(part) || typeof part.text !== "string") return body;
  part.text = play;
  return JSON.stringify(message.whole);
}

/** A message, in the body of either binding. */
function messageIn(body: string): { readonly whole: Json; readonly held: Json } | undefined {
  if (!body.includes('"messageId"')) return undefined;
  // Some requests of a kit are broken on purpose.
  const whole = parsedJson(body);
  if (!isObject(whole)) return undefined;
  const params = isObject(whole.params) ? whole.params : whole;
  return isObject(params.message) ? { whole, held: params.message } : undefined;
}
