import * as v from "valibot";
import type { Unresolved } from "./built.ts";

const KnowledgeConfig = v.union([v.string(), v.looseObject({ name: v.string() })]);

/**
 * The knowledge base that a config names, which must be one of this deployment's.
 *
 * @param bases  names of the bases of this deployment
 * @returns an `error` when it is none of them
 */
export function resolveKnowledge(
  config: unknown,
  bases: readonly string[],
): { readonly name?: string } | Unresolved {
  if (config === undefined || config === null) return {};
  const parsed = v.safeParse(KnowledgeConfig, config);
  if (!parsed.success) return { error: "knowledge must be {name}", error_code: "UNPROCESSABLE" };
  const name = typeof parsed.output === "string" ? parsed.output : parsed.output.name;
  return bases.includes(name)
    ? { name }
    : { error: `knowledge ${name} is not registered`, error_code: "NOT_FOUND" };
}
