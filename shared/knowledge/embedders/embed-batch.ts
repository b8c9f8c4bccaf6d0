import { APICallError, type EmbeddingModelV4 } from "@ai-sdk/provider";
import { ServiceError } from "../../errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type EmbeddingPurpose, normalized } from "./embedder.ts";

const TRIES = 4;
const FIRST_WAIT_MS = 500;
/** Short, because a search waits for it. */
const MAX_WAIT_MS = 5_000;

/** The purpose of a text, for Cohere's and Nova's models on Bedrock; other models ignore it. */
const optionsFor = {
  document: { bedrock: { inputType: "search_document", embeddingPurpose: "GENERIC_INDEX" } },
  query: { bedrock: { inputType: "search_query", embeddingPurpose: "GENERIC_RETRIEVAL" } },
} as const;

/**
 * Embeds texts as vectors of length 1, in one call to the provider. Transient faults, such as throttling, are retried.
 *
 * @throws ServiceError UNAVAILABLE where the provider refuses; else the error of the last try
 */
export async function embedBatch(
  model: EmbeddingModelV4,
  texts: readonly string[],
  sleep: Clock["sleep"],
  purpose: EmbeddingPurpose,
): Promise<number[][]> {
  // Providers refuse blank texts.
  const values = texts.map((text) => (text.trim() === "" ? "-" : text));
  for (let tryNumber = 1; ; tryNumber += 1) {
    try {
      const { embeddings } = await model.doEmbed({ values, providerOptions: optionsFor[purpose] });
      if (embeddings.length !== texts.length)
        throw new Error("the embedder gave another number of vectors than of texts");
      return embeddings.map(normalized);
    } catch (error) {
      if (!APICallError.isInstance(error)) throw error;
      if (!error.isRetryable) throw refusal(error);
      if (tryNumber === TRIES) throw error;
      await sleep(waitMs(error, tryNumber));
    }
  }
}

function waitMs({ responseHeaders = {} }: APICallError, tryNumber: number): number {
  const retryAfterMs = Number(responseHeaders["retry-after"]) * 1_000;
  return Math.min(MAX_WAIT_MS, retryAfterMs > 0 ? retryAfterMs : FIRST_WAIT_MS * 2 ** (tryNumber - 1));
}

function refusal(error: APICallError): ServiceError {
  const { statusCode } = error;
  const isAccess = statusCode === 401 || statusCode === 403;
  const detail = isAccess
    ? `the embedder refuses its credentials: ${statusCode}`
    : `the embedder refuses what it is asked: ${statusCode ?? "no answer"}`;
  return new ServiceError("UNAVAILABLE", detail, { cause: error });
}
