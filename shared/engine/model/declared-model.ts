import type { LanguageModelV4 } from "@ai-sdk/provider";
import { DECLARED, parseDeclaredSpec } from "../../schemas/values/model-spec.ts";

/** A model as a declaration names it: by its specification, or as an object of any provider of the AI SDK. */
export type DeclaredModel = string | LanguageModelV4;

/** The objects, by the specification under which everything else knows them. */
const models = new Map<string, LanguageModelV4>();

/**
 * The specification of a declared model. An object gets one of its own, which says provider and id: records, prices and
 * metrics name models by texts.
 *
 * @param who  whose model it is, for the sentence
 * @throws Error for what is no model, or one of an older AI SDK
 */
export function specOfDeclared(who: string, model: DeclaredModel): string {
  if (typeof model === "string") return model;
  const { specificationVersion, provider, modelId } = model;
  if (specificationVersion !== "v4")
    throw new Error(
      `${who} has a model that is none of the AI SDK 7: its package speaks ${specificationVersion ?? "another language"}; take a newer one, such as @ai-sdk/openai 4.`,
    );
  const base = `${DECLARED}:${provider}/${modelId}`;
  for (let number = 1; ; number++) {
    const spec = number === 1 ? base : `${base}#${number}`;
    const known = models.get(spec);
    if (known !== undefined && known !== model) continue;
    models.set(spec, model);
    return spec;
  }
}

/** The object behind a specification; undefined for a model that is named by its text alone. */
export const declaredModel = (spec: string): LanguageModelV4 | undefined =>
  parseDeclaredSpec(spec) && models.get(spec);
