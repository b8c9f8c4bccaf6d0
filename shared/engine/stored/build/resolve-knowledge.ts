import * as v from "valibot";

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
): { readonly name?: string } | { readonly error: string } {
  if (config === undefined || config === null) return {};
  const parsed = v.safeParse(KnowledgeConfig, config);
  if (!parsed.success) return { error: "knowledge must be {name}" };
  const name = typeof parsed.output === "string" ? parsed.output : parsed.output.name;
  return bases.includes(name) ? { name } : { error: `knowledge ${name} is not registered` };
}
