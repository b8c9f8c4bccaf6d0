import * as v from "valibot";
import type { AgentSettings } from "../../define/agent.ts";
import type { Registry } from "../../define/registry.ts";
import type { Models } from "../../model/models.ts";
import { registeredModel } from "../registered-model.ts";
import { type Built, faultsOf, unusable } from "./built.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const Followups = v.union([
  v.boolean(),
  v.strictObject({
    model: v.optional(v.unknown()),
    instructions: v.optional(v.string()),
    num_followups: v.optional(count),
    min_followups: v.optional(count),
    max_followups: v.optional(count),
  }),
]);

type Helpers = Pick<
  AgentSettings,
  "helper_model" | "followup_model" | "followup_instructions" | "followups" | "num_followups"
>;

/** The models for calls beside a conversation, and what follow-up questions are asked for how. */
export function resolveHelpers(
  { helper_model, followup_model, followups }: Readonly<Record<string, unknown>>,
  registry: Registry,
  models: Pick<Models, "describe">,
): Built<Partial<Helpers>> {
  const parsed = v.safeParse(v.nullish(Followups), followups);
  const own =
    parsed.success && parsed.output && typeof parsed.output === "object" ? parsed.output : undefined;
  const helper = registeredModel(helper_model, registry, models);
  const named = own?.model ?? followup_model;
  const asked = registeredModel(named, registry, models);
  const most = own?.max_followups ?? own?.num_followups ?? own?.min_followups;
  const path = own?.model === undefined ? "followup_model" : "followups.model";
  return {
    value: {
      ...("spec" in helper && helper.spec !== undefined && { helper_model: helper.spec }),
      ...("spec" in asked && asked.spec !== undefined && { followup_model: asked.spec }),
      ...(own?.instructions !== undefined && { followup_instructions: own.instructions }),
      ...(parsed.success && parsed.output != null && { followups: parsed.output !== false }),
      ...(most !== undefined && { num_followups: most }),
    },
    faults: [
      ...faultsOf({ helper_model: helper, [path]: asked }),
      ...(parsed.success
        ? []
        : [unusable("followups", "it must be true, false or {model, instructions, num_followups}")]),
    ],
  };
}
