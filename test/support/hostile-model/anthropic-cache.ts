import { createHash } from "node:crypto";
import type { Json } from "./protocol.ts";

/** What a call has read from the cache, written to it, and sent beside. */
export type CachedUsage = { readonly input: number; readonly cacheRead: number; readonly cacheWrite: number };

export type AnthropicCache = {
  /**
   * Counts a request, and keeps what its marks ask for.
   *
   * @throws Error with the service's message for marks that it refuses
   */
  readonly count: (body: Json) => CachedUsage;
};

type Mark = { readonly ttl?: "5m" | "1h" };
type Block = { readonly text: string; readonly mark: Mark | undefined };

const MAX_MARKS = 4;
const LOOKBACK = 20;
const TTL_MS = { "5m": 300_000, "1h": 3_600_000 } as const;

/**
 * The cache of Anthropic's service, by hashes of prefixes. A call reads the longest prefix that an earlier one has marked
 * within 20 blocks before one of its own marks, and writes up to its last mark.
 *
 *   tools ─▶ system ─▶ tool choice, thinking ─▶ messages
 *
 * @param minimum  tokens below which nothing is kept
 * @param now      epoch milliseconds
 * @source Anthropic, "Prompt caching"
 */
export function anthropicCache({
  minimum = 1024,
  now = () => 0,
}: {
  readonly minimum?: number;
  readonly now?: () => number;
} = {}): AnthropicCache {
  const entries = new Map<string, { readonly life: number; expires: number }>();
  return {
    count(body) {
      const blocks = blocksOf(body);
      refuseMarks(blocks.flatMap(({ mark }) => mark ?? []));
      const prefixes = prefixesOf(String(body.model), blocks);
      const marked = blocks.flatMap(({ mark }, at) => (mark ? [{ at, ttl: mark.ttl ?? "5m" }] : []));
      const reachable = marked.flatMap(({ at }) => Array.from({ length: LOOKBACK }, (_, back) => at - back));
      const hit = Math.max(-1, ...reachable.filter((at) => isKept(prefixes[at]?.hash)));
      const renewed = entries.get(prefixes[hit]?.hash ?? "");
      if (renewed) renewed.expires = now() + renewed.life;
      for (const { at, ttl } of marked) {
        const prefix = prefixes[at];
        if (!prefix || prefix.tokens < minimum) continue;
        entries.set(prefix.hash, { life: TTL_MS[ttl], expires: now() + TTL_MS[ttl] });
      }
      const total = prefixes.at(-1)?.tokens ?? 0;
      const cacheRead = prefixes[hit]?.tokens ?? 0;
      const last = prefixes[marked.at(-1)?.at ?? -1]?.tokens ?? 0;
      const written = last < minimum ? 0 : Math.max(0, last - cacheRead);
      return { input: total - cacheRead - written, cacheRead, cacheWrite: written };
    },
  };

  function isKept(hash: string | undefined): boolean {
    return hash !== undefined && (entries.get(hash)?.expires ?? 0) > now();
  }
}

function refuseMarks(marks: readonly Mark[]): void {
  if (marks.length > MAX_MARKS)
    throw new Error(
      `A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${marks.length}.`,
    );
  const lives = marks.map(({ ttl = "5m" }) => ttl);
  if (lives.lastIndexOf("1h") > lives.indexOf("5m") && lives.includes("5m"))
    throw new Error("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.");
}

/** About four characters to a token. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

function prefixesOf(model: string, blocks: readonly Block[]) {
  let hash = model;
  let tokens = 0;
  return blocks.map(({ text }) => {
    hash = createHash("sha256").update(hash).update(text).digest("base64url");
    tokens += tokensOf(text);
    return { hash, tokens };
  });
}

function blocksOf({ tools, system, messages, tool_choice = null, thinking = null }: Json): Block[] {
  const head = [...listOf(tools).map(blockOf("tool")), ...contentOf(system).map(blockOf("system"))];
  const said = listOf(messages).flatMap((message) =>
    contentOf(message.content).map(blockOf(String(message.role))),
  );
  const [first, ...rest] = said;
  const settings = JSON.stringify([tool_choice, thinking]);
  return first ? [...head, { ...first, text: settings + first.text }, ...rest] : head;
}

const blockOf =
  (place: string) =>
  ({ cache_control: mark, ...block }: Json): Block => ({
    text: place + JSON.stringify(block),
    // As the requests of the test have it.
    mark: mark as Mark | undefined,
  });

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

const contentOf = (content: unknown): readonly Json[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
