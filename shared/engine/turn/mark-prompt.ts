import { createHash } from "node:crypto";
import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Message } from "../../schemas/runs/run.ts";
import type { CacheSupport } from "../model/cache-support.ts";
import type { RunFault } from "../model/model-fault.ts";
import type { ResolvedModel } from "../model/models.ts";
import type { Execution } from "../run/execution.ts";
import { endOfPrompt } from "../run/next-step.ts";

/** Which messages of a prompt are marked, and by what. */
export type Marks = {
  readonly ids: ReadonlySet<string>;
  readonly options: SharedV4ProviderOptions;
  /** Whether tools can carry a mark. */
  readonly onTools: boolean;
};

/**
 * How a run's calls use the cache of their model's service; undefined where they do not. It follows from the settings, and
 * from whether the service has refused marks in the last hour.
 */
export function cacheOf(
  { agent, ports }: Execution,
  resolved: Pick<ResolvedModel, "cache">,
): CacheSupport | undefined {
  const { cache } = resolved;
  if (!cache || agent.prompt_cache === false || isRefused(cache, ports.clock.now())) return undefined;
  return typeof agent.prompt_cache === "object" ? { ...cache, ttl: agent.prompt_cache.ttl } : cache;
}

const HOUR_MS = 3_600_000;

/** How long an entry lives after its last use, in milliseconds. */
export const lifeOf = ({ ttl }: CacheSupport): number => (ttl === "1h" ? HOUR_MS : 300_000);

/** A service keeps refusing what it does not know, so that it is not asked again for an hour. */
export const REFUSED_FOR_MS = HOUR_MS;

const refusals = new WeakMap<object, number>();

/** Remembers in this process until when a service is not asked. @param untilMs epoch milliseconds; undefined where it is not known */
export function noteRefusal({ cache }: Pick<ResolvedModel, "cache">, untilMs: number | undefined): void {
  if (cache && untilMs !== undefined) refusals.set(cache, Math.max(untilMs, refusals.get(cache) ?? 0));
}

const isRefused = (cache: CacheSupport, nowMs: number): boolean => nowMs < (refusals.get(cache) ?? 0);

/** Whether a service refuses a call because of a mark or a key: its message names it. */
export const namesTheMark = ({ text, again }: RunFault): boolean =>
  again === undefined && /cache_?control|cache[\s_-]?point|prompt[\s_-]?cach/i.test(text);

/**
 * Where a prompt is marked. The state alone decides, so that a run which is resumed elsewhere marks the same bytes.
 *
 *   system ┃1 history ┃2 input, answer, results ┃3 answer, results ┃4
 *
 *   1  the system message; the last tool where there is none
 *   2  end of the history
 *   3  where the last call's prompt ended: an exact hit, however many results came since
 *   4  end of this prompt
 *
 * @param cacheTo  id of the message at which the last call's prompt ended
 */
export function markedIds(messages: readonly Message[], cacheTo: string | undefined): ReadonlySet<string> {
  const system = messages.find(({ role }) => role === "system");
  const endOfHistory = messages.findLast(({ from_history, role }) => from_history && role !== "system");
  const before = messages.find(({ id }) => id === cacheTo);
  const marked = [system, endOfHistory, before, endOfPrompt(messages)];
  return new Set(marked.flatMap((message) => message?.id ?? []));
}

/** @returns undefined for a service that is given a key instead */
export function marksFor(
  support: CacheSupport,
  messages: readonly Message[],
  cacheTo: string | undefined,
): Marks | undefined {
  const options = optionsOf(support);
  return options && { ids: markedIds(messages, cacheTo), options, onTools: support.by === "anthropic_marks" };
}

function optionsOf({ by, ttl }: CacheSupport): SharedV4ProviderOptions | undefined {
  const life = ttl === undefined ? {} : { ttl };
  switch (by) {
    case "anthropic_marks":
      return { anthropic: { cacheControl: { type: "ephemeral", ...life } } };
    case "bedrock_marks":
      return { bedrock: { cachePoint: { type: "default", ...life } } };
    case "compatible_marks":
      return { openaiCompatible: { cache_control: { type: "ephemeral", ...life } } };
    case "openai_key":
    case "compatible_key":
      return undefined;
  }
}

/**
 * Provider options with the key by which a service finds the machine that has a session's prefix cached. It names no user.
 */
export function withCacheKey(
  given: SharedV4ProviderOptions | undefined,
  { by, os_id }: CacheSupport,
  { agent, request }: Pick<Execution, "agent" | "request">,
): SharedV4ProviderOptions | undefined {
  if (by !== "openai_key" && by !== "compatible_key") return given;
  const named = JSON.stringify([os_id, agent.id, request.session_id]);
  const key = `ap:${createHash("sha256").update(named).digest("hex").slice(0, 32)}`;
  return by === "openai_key"
    ? { ...given, openai: { ...given?.openai, promptCacheKey: key } }
    : { ...given, openaiCompatible: { ...given?.openaiCompatible, prompt_cache_key: key } };
}

/** The tools of a prompt without a system message, where their end is the first mark. */
export function markedTools(
  tools: NonNullable<LanguageModelV4CallOptions["tools"]>,
  messages: readonly Message[],
  marks: Marks | undefined,
): NonNullable<LanguageModelV4CallOptions["tools"]> {
  const last = tools.at(-1);
  if (!marks?.onTools || last?.type !== "function" || messages.some(({ role }) => role === "system"))
    return tools;
  return [...tools.slice(0, -1), { ...last, providerOptions: marks.options }];
}
