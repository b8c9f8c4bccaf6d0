import { ServiceError } from "../errors.ts";
import type { SearchType, SearchWeights } from "../settings/values/knowledge-bases.ts";
import type { KnowledgeBase } from "./base.ts";
import { type EmbedderView, NO_EMBEDDER } from "./embedders/embedder.ts";

/** What a search can go by; the first is what it goes by if neither it nor its base says. */
export const searchTypesWith = ({ id }: Pick<EmbedderView, "id">): readonly SearchType[] =>
  id === NO_EMBEDDER ? ["keyword"] : ["hybrid", "vector", "keyword"];

/**
 * Words count a little more: where an embedder finds less than they do, it takes first places from them otherwise. Measured with
 * `npm run bench:search`; see docs/decisions/2026-11-23-lexical-search.md.
 */
export const DEFAULT_WEIGHTS: SearchWeights = { vector: 1, keyword: 1.5 };

type Asked = {
  readonly search_type?: SearchType | null | undefined;
  readonly weights?: { readonly [K in keyof SearchWeights]?: number | undefined } | null | undefined;
};

/**
 * How much each kind of search counts: what the request says, else its base, else the deployment.
 *
 * @returns weights, of which one is 0 where only the other kind is used
 * @throws  ServiceError BAD_REQUEST for a search by meaning where there is no embedder
 */
export function weightsOf(
  embedder: Pick<EmbedderView, "id">,
  base: Pick<KnowledgeBase, "name" | "search_type" | "weights">,
  asked: Asked = {},
): SearchWeights {
  const possible = searchTypesWith(embedder);
  // A setting for both kinds is no fault where an embedder is still to come.
  const configured = possible.find((type) => type === base.search_type) ?? possible[0];
  const type = asked.search_type ?? configured;
  if (!possible.some((one) => one === type)) {
    throw new ServiceError(
      "BAD_REQUEST",
      `no embedder is configured, so ${base.name} can only be searched by keyword`,
    );
  }
  if (type === "vector") return { vector: 1, keyword: 0 };
  if (type === "keyword") return { vector: 0, keyword: 1 };
  const weights = { ...DEFAULT_WEIGHTS, ...base.weights, ...withoutNothing(asked.weights) };
  return weights.vector > 0 || weights.keyword > 0 ? weights : DEFAULT_WEIGHTS;
}

const withoutNothing = (weights: Asked["weights"]): Partial<SearchWeights> =>
  Object.fromEntries(Object.entries(weights ?? {}).filter(([, value]) => value !== undefined));
