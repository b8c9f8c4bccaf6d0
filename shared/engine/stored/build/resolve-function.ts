import { ownMember } from "../../../schemas/values/own-member.ts";
import type { Registry } from "../../define/registry.ts";
import type { StepFunction } from "../../define/workflow.ts";
import type { Unresolved } from "./built.ts";

/** The registered function that a config names. Nothing that a config holds is ever executed. */
export function resolveFunction(
  name: unknown,
  { parts }: Registry,
): { readonly call: StepFunction } | Unresolved {
  const found = typeof name === "string" ? ownMember(parts?.functions ?? {}, name) : undefined;
  return found
    ? { call: found }
    : { error: `function ${String(name)} is not registered`, error_code: "NOT_FOUND" };
}
