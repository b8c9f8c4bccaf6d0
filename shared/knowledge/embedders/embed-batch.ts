import { APICallError, type EmbeddingModelV4 } from "@ai-sdk/provider";
import { ServiceError } from "../../errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type EmbeddingPurpose, normalized } from "./embedder.ts";

const TRIES = 4;
const FIRST_WAIT_MS = 500;
/** Whoever searches waits for it. */
const MOST_WAIT_MS = 5_000;

/** What Cohere's and Nova's models on Bedrock want to know of a text; the other models take no notice. */
const optionsFor = {
  document: { bedrock: { inputType: "search_document", embeddingPurpose: "GENERIC_INDEX" } },
  query: { bedrock: { inputType: "search_query", embeddingPurpose: "GENERIC_RETRIEVAL" } },
} as const;

/**
 * Has a provider turn texts into vectors of length 1, as many as it takes at once. What may pass with time, such as
 * throttling, is tried again soon.
 *
 * @throws ServiceError UNAVAILABLE where the provider refuses; what the last try threw
 */
export async function embedBatch(
  model: EmbeddingModelV4,
  texts: readonly string[],
  sleep: Clock["sleep"],
  purpose: EmbeddingPurpose,
): Promise<number[][]> {
  // Providers refuse a text of nothing.
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
  const asked = Number(responseHeaders["retry-after"]) * 1_000;
  return Math.min(MOST_WAIT_MS, asked > 0 ? asked : FIRST_WAIT_MS * 2 ** (tryNumber - 1));
}

function refusal(error: APICallError): ServiceError {
  const { statusCode } = error;
  const isAccess = statusCode === 401 || statusCode === 403;
  const detail = isAccess
    ? `the embedder refuses its credentials: ${statusCode}`
    : `the embedder refuses what it is asked: ${statusCode ?? "no answer"}`;
  return new ServiceError("UNAVAILABLE", detail, { cause: error });
}
