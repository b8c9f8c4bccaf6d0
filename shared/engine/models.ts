import type { LanguageModelV4 } from "@ai-sdk/provider";

/** A model ready to be called, and how it is shown on the wire. */
export type ResolvedModel = {
  readonly model: LanguageModelV4;
  /** `gpt-5`, `scripted-1`, … */
  readonly id: string;
  /** `OpenAI`, `Amazon Bedrock`, `Scripted`, … */
  readonly provider: string;
};

/** Where models come from. Loading a provider's code happens on first use, never at start. */
export type Models = {
  /** @param spec such as `openai:gpt-5`; the configured default when absent */
  readonly resolve: (spec?: string) => Promise<ResolvedModel>;
  /** What `resolve` would give, without loading anything. */
  readonly describe: (spec?: string) => { id: string; provider: string };
};
