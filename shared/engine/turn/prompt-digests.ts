import { createHash } from "node:crypto";
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { CachePart, PromptDigests } from "../../schemas/runs/prompt-cache.ts";

/** The parts of one prompt. */
export type PromptParts = {
  readonly model: string;
  readonly tools: LanguageModelV4CallOptions["tools"];
  readonly tool_choice: LanguageModelV4CallOptions["toolChoice"];
  /** System message and the form of the answer. */
  readonly system: unknown;
  /** Each of the other messages as the model is shown it, by its id, up to where the next prompt begins alike. */
  readonly history: readonly { readonly id: string; readonly shown: readonly LanguageModelV4Message[] }[];
};

export type ComparedPrompt = {
  readonly digests: PromptDigests;
  /** What keeps this call from reading what the one before has cached. */
  readonly broken?: CachePart;
};

/**
 * Compares a prompt with that of the call before.
 *
 * @param nowMs   epoch milliseconds
 * @param lifeMs  how long an entry of the cache lives after its last use
 */
export function comparePrompts(
  before: PromptDigests | undefined,
  { history, ...parts }: PromptParts,
  nowMs: number,
  lifeMs: number,
): ComparedPrompt {
  const running = createHash("sha256");
  let asBefore: string | undefined;
  for (const { id, shown } of history) {
    running.update(JSON.stringify(shown));
    if (id === before?.to) asBefore = short(running.copy().digest("hex"));
  }
  const digests: PromptDigests = {
    model: parts.model,
    tools: digestOf(parts.tools),
    system: digestOf(parts.system),
    tool_choice: digestOf(parts.tool_choice),
    history: short(running.digest("hex")),
    to: history.at(-1)?.id ?? "",
    at_ms: nowMs,
  };
  const broken = before && partBroken(before, digests, asBefore, lifeMs);
  return broken ? { digests, broken } : { digests };
}

function partBroken(
  before: PromptDigests,
  now: PromptDigests,
  asBefore: string | undefined,
  lifeMs: number,
): CachePart | undefined {
  const parts = ["model", "tools", "system", "tool_choice"] as const;
  const changed = parts.find((part) => before[part] !== now[part]);
  if (changed) return changed;
  if (asBefore !== before.history) return "history";
  return now.at_ms - before.at_ms > lifeMs ? "expired" : undefined;
}

const short = (hex: string): string => hex.slice(0, 16);
const digestOf = (value: unknown): string =>
  short(
    createHash("sha256")
      .update(JSON.stringify(value ?? null))
      .digest("hex"),
  );
