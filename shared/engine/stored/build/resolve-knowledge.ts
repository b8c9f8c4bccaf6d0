import * as v from "valibot";

const KnowledgeConfig = v.union([v.string(), v.looseObject({ name: v.string() })]);

/**
 * The knowledge base that a config names, which must be one of this deployment's.
 *
 * @param bases  names of those there are
 * @returns a `fault` where it is none of them
 */
export function resolveKnowledge(
  config: unknown,
  bases: readonly string[],
): { readonly name?: string } | { readonly fault: string } {
  if (config === undefined || config === null) return {};
  const parsed = v.safeParse(KnowledgeConfig, config);
  if (!parsed.success) return { fault: "knowledge must be {name}" };
  const name = typeof parsed.output === "string" ? parsed.output : parsed.output.name;
  return bases.includes(name) ? { name } : { fault: `knowledge ${name} is not registered` };
}
