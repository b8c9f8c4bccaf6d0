import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelPrice } from "./model-price.ts";

/** A model ready to be called, and how it is shown on the wire. */
export type ResolvedModel = {
  readonly model: LanguageModelV4;
  /** `gpt-5`, `scripted-1`, … */
  readonly id: string;
  /** `OpenAI`, `Amazon Bedrock`, `Scripted`, … */
  readonly provider: string;
  /** What every call of this model carries in the provider's own terms. */
  readonly providerOptions?: NonNullable<LanguageModelV4CallOptions["providerOptions"]>;
  /** Whether the service holds its answer to a JSON Schema; the others are asked to in words. */
  readonly takesSchema: boolean;
  /** Whether results of tools may hold files. */
  readonly takesToolFiles: boolean;
};

/** A model as it is shown. */
export type ModelView = {
  readonly id: string;
  readonly provider: string;
  /** Where one is configured. */
  readonly price?: ModelPrice;
};

/** Where models come from. Loading a provider's code happens on first use, never at start. */
export type Models = {
  /**
   * @param spec such as `openai:gpt-5`; the configured default when absent
   * @throws ServiceError UNAVAILABLE when the model is not configured; its detail is public
   */
  readonly resolve: (spec?: string) => Promise<ResolvedModel>;
  /** What `resolve` would give, without loading anything. */
  readonly describe: (spec?: string) => ModelView;
};
