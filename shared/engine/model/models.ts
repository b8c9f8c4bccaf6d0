import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { parseDeclaredSpec, parseModelSpec, providerLabels } from "../../schemas/values/model-spec.ts";
import type { ModelPrice, ModelPrices } from "../../settings/values/model-prices.ts";
import type { StructuredOutput } from "../../settings/values/model-providers.ts";
import { type CacheSupport, withCachePrices } from "./cache-support.ts";
import type { ModelWindow } from "./windows.ts";

/** A model ready to be called, and how it is shown on the wire. */
export type ResolvedModel = {
  readonly model: LanguageModelV4;
  /** `gpt-6.1-sol`, `scripted-1`, … */
  readonly id: string;
  /** `OpenAI`, `Amazon Bedrock`, `Scripted`, … */
  readonly provider: string;
  /** Options that the provider defines, for every call of this model. */
  readonly providerOptions?: NonNullable<LanguageModelV4CallOptions["providerOptions"]>;
  /**
   * How an answer of a given shape is asked for: the service enforces a JSON Schema, or that the answer is JSON; the schema is
   * an instruction unless it is enforced.
   */
  readonly structured: StructuredOutput;
  /** Whether a call may forbid the use of tools and still show the results of earlier ones. */
  readonly forbidsTools: boolean;
  /** Digest of the key by which the service is called: calls with the same one share its limits. */
  readonly account?: string;
  /** How the service is asked to cache prompts; absent where it is not. */
  readonly cache?: CacheSupport;
  /** Whether results of tools may hold files. */
  readonly takesToolFiles: boolean;
};

/** A model as the wire shows it. */
export type ModelView = {
  readonly id: string;
  readonly provider: string;
  /** Absent when none is configured. */
  readonly price?: ModelPrice & { readonly derived?: true };
};

/** Resolves models. A provider's code is loaded on first use, never at start. */
export type Models = {
  /**
   * @param spec such as `openai:gpt-6.1-sol`; the configured default when absent
   * @throws ServiceError UNAVAILABLE when the model is not configured; its detail is public
   */
  readonly resolve: (spec?: string) => Promise<ResolvedModel>;
  /**
   * Describes the model that `resolve` returns, without loading anything.
   *
   * @param ttl  how long the caller keeps caches, where it says so itself: an hour's cost more to write
   */
  readonly describe: (spec?: string, ttl?: "1h") => ModelView;
  /** Host of the service that a model is called at; undefined where it is not known. */
  readonly serverOf?: (spec?: string) => string | undefined;
  /** What fits into a call of a model; undefined where it is not known. */
  readonly windowOf?: (spec?: string) => ModelWindow | undefined;
  /** Specification of the model for calls beside a conversation, where an agent names none; absent where none is set. */
  readonly helper?: string;
};

/**
 * Shows models by their specification alone. For functions that never call one: unlike `createModels` it brings no
 * provider's code into their bundle.
 *
 * @param configured the default specification
 * @param ttl        how long caches live, where that is not five minutes: writing costs more then
 */
export function describeModels(
  configured: string,
  prices: ModelPrices = {},
  ttl?: "1h",
): Pick<Models, "describe"> {
  return {
    describe: (spec = configured, own = ttl) => {
      const parsed = parseModelSpec(spec);
      if (!parsed) {
        const price = prices[spec];
        return { ...(parseDeclaredSpec(spec) ?? { id: spec, provider: "unknown" }), ...(price && { price }) };
      }
      const price = prices[spec] && withCachePrices(parsed, prices[spec], own);
      return { id: parsed.id, provider: providerLabels[parsed.provider], ...(price && { price }) };
    },
  };
}
