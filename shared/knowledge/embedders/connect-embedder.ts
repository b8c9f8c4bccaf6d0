import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { serverOf } from "../../domain/models/server-of.ts";
import { ServiceError } from "../../errors.ts";
import { type Clock, systemClock } from "../../runtime/clock.ts";
import { readSecret } from "../../runtime/secrets/read-secret.ts";
import { type EmbedderSpec, parseEmbedderSpec } from "../../settings/values/knowledge-bases.ts";
import { embedBatch } from "./embed-batch.ts";
import { type Embedder, type EmbedderView, type EmbeddingPurpose, NO_EMBEDDER } from "./embedder.ts";
import { hashVector } from "./hash-embedder.ts";

export type EmbedderEnv = {
  /** `none`, `local`, `amazon-bedrock:<id>`, `openai:<id>` or `openai-compatible:<id>`. */
  readonly EMBEDDER: string;
  /** Address of the service behind `openai-compatible`; also replaces the other providers' own address. */
  readonly EMBEDDER_BASE_URL?: string | undefined;
  readonly EMBEDDER_API_KEY?: string | undefined;
  /** Name of the Secrets Manager secret that holds the key, where no variable does. */
  readonly EMBEDDER_API_KEY_SECRET?: string | undefined;
};

const NONE: EmbedderView = {
  id: NO_EMBEDDER,
  provider: NO_EMBEDDER,
  description: "No embedding model is configured: searches find words and know no meaning.",
};

const LOCAL: EmbedderView = {
  id: "local",
  provider: "local",
  description:
    "Counts hashed words: needs no network and no key, and knows no meaning. For tests of what needs vectors.",
};

/** The embedder as clients see it. */
function describeEmbedder(spec: string): EmbedderView {
  const parsed = parsedSpec(spec);
  if (!("id" in parsed)) return parsed.provider === "local" ? LOCAL : NONE;
  return {
    id: spec,
    provider: parsed.provider,
    description: `The model ${parsed.id}, by ${parsed.provider}.`,
  };
}

/**
 * The embedder of this deployment. Its provider's code is loaded with the first text.
 *
 * @throws ServiceError UNAVAILABLE, when it is used, where an address or key is missing
 */
export function connectEmbedder(env: EmbedderEnv, clock: Clock = systemClock): Embedder {
  const spec = parsedSpec(env.EMBEDDER);
  const view = describeEmbedder(env.EMBEDDER);
  if (!("id" in spec)) {
    const vectorOf = spec.provider === "local" ? hashVector : () => [];
    return { ...view, embed: async (texts) => texts.map(vectorOf) };
  }
  let loading: Promise<EmbeddingModelV4> | undefined;
  const server = serverOf(spec.provider, env.EMBEDDER_BASE_URL, process.env.AWS_REGION);
  return {
    ...view,
    ...(server !== undefined && { server }),
    embed: async (texts, purpose = "document") => {
      loading ??= loadEmbedder(spec, env);
      try {
        return await embedAll(await loading, texts, clock.sleep, purpose);
      } catch (error) {
        loading = undefined;
        throw error;
      }
    },
  };
}

function parsedSpec(spec: string): EmbedderSpec {
  const parsed = parseEmbedderSpec(spec);
  if (!parsed) throw new Error(`${spec} names no embedder: expected none, local or <provider>:<id>`);
  return parsed;
}

async function loadEmbedder(
  { provider, id }: Extract<EmbedderSpec, { id: string }>,
  env: EmbedderEnv,
): Promise<EmbeddingModelV4> {
  const address = env.EMBEDDER_BASE_URL ? { baseURL: env.EMBEDDER_BASE_URL } : {};
  switch (provider) {
    case "amazon-bedrock": {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      return createAmazonBedrock(address).embeddingModel(id);
    }
    case "openai": {
      const apiKey = await keyOf(env);
      if (!apiKey) throw new ServiceError("UNAVAILABLE", "no key for the embedder is configured");
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ ...address, apiKey }).embeddingModel(id);
    }
    case "openai-compatible": {
      if (!env.EMBEDDER_BASE_URL)
        throw new ServiceError("UNAVAILABLE", "the embedder's address is not configured");
      const apiKey = await keyOf(env);
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const settings = { name: provider, baseURL: env.EMBEDDER_BASE_URL, ...(apiKey && { apiKey }) };
      return createOpenAICompatible(settings).embeddingModel(id);
    }
  }
}

const keyOf = async ({
  EMBEDDER_API_KEY,
  EMBEDDER_API_KEY_SECRET,
}: EmbedderEnv): Promise<string | undefined> =>
  EMBEDDER_API_KEY ??
  (EMBEDDER_API_KEY_SECRET === undefined ? undefined : readSecret(EMBEDDER_API_KEY_SECRET));

/** Concurrent calls, where a provider accepts only a few texts in each. */
const CONCURRENCY = 8;
/** Texts of one call, where a provider accepts any number. */
const MAX_TEXTS = 96;

async function embedAll(
  model: EmbeddingModelV4,
  texts: readonly string[],
  sleep: Clock["sleep"],
  purpose: EmbeddingPurpose,
): Promise<number[][]> {
  const size = Math.min((await model.maxEmbeddingsPerCall) ?? MAX_TEXTS, MAX_TEXTS);
  const vectors: number[][] = [];
  for (let from = 0; from < texts.length; from += size * CONCURRENCY) {
    const wave: PromiseLike<number[][]>[] = [];
    for (let at = from; at < Math.min(from + size * CONCURRENCY, texts.length); at += size) {
      wave.push(embedBatch(model, texts.slice(at, at + size), sleep, purpose));
    }
    vectors.push(...(await Promise.all(wave)).flat());
  }
  return vectors;
}
