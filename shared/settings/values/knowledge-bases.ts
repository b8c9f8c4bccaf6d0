import * as v from "valibot";
import { SourceSetting, sourceProblem } from "./sources.ts";

/** By meaning, by words, or by both. */
export const searchTypes = ["vector", "keyword", "hybrid"] as const;
export type SearchType = (typeof searchTypes)[number];

const Weight = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
/** How much the two kinds of search count in a hybrid one, in relation to each other. */
export const SearchWeights = v.strictObject({ vector: Weight, keyword: Weight });
export type SearchWeights = v.InferOutput<typeof SearchWeights>;

const BaseSetting = v.strictObject({
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
  description: v.optional(v.string()),
  /** How it is searched where a search does not say: by both where there is an embedder, else by words. */
  search_type: v.optional(v.picklist(searchTypes)),
  /** How much each kind of search counts in a hybrid one. */
  weights: v.optional(SearchWeights),
  /** Most results of a search that gives no limit. */
  max_results: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 10),
  sources: v.optional(v.array(SourceSetting), []),
});
export type BaseSetting = v.InferOutput<typeof BaseSetting>;

export const KnowledgeBases = v.pipe(
  v.array(BaseSetting),
  v.check((bases) => isUnique(bases.map(({ name }) => name)), "each base needs a name of its own"),
  v.check(
    (bases) => isUnique(bases.flatMap(({ sources }) => sources.map(({ id }) => id))),
    "each source needs an id of its own",
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const source of dataset.value.flatMap(({ sources }) => sources)) {
      const message = sourceProblem(source);
      if (message !== undefined) addIssue({ message });
    }
  }),
);

const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length;

/** Where vectors are stored: in a table that is searched exactly, or in S3 Vectors. */
export const vectorStores = ["dynamodb", "s3-vectors"] as const;
export type VectorStoreName = (typeof vectorStores)[number];

const embedderProviders = ["amazon-bedrock", "openai", "openai-compatible"] as const;
export type EmbedderSpec =
  | { readonly provider: "none" | "local" }
  | { readonly provider: (typeof embedderProviders)[number]; readonly id: string };

/**
 * Reads the specification of an embedder: `none`, `local`, or a provider's name, a colon and the model's id.
 *
 * @returns undefined when it is neither
 */
export function parseEmbedderSpec(spec: string): EmbedderSpec | undefined {
  if (spec === "none" || spec === "local") return { provider: spec };
  const colon = spec.indexOf(":");
  const provider = embedderProviders.find((name) => name === spec.slice(0, Math.max(colon, 0)));
  const id = spec.slice(colon + 1);
  return provider === undefined || id === "" ? undefined : { provider, id };
}
