import * as v from "valibot";

/** What the official protocol answers: which members there are depends on its version, see docs/a2a.md. */
export const A2aAnswer = v.record(v.string(), v.unknown());

/** A card of an agent. @source contract, a2a section 7 */
export const AgentCardAnswer = v.looseObject({
  name: v.string(),
  description: v.string(),
  version: v.string(),
  skills: v.array(v.looseObject({ id: v.string(), name: v.string() })),
});
