import { matches } from "../../local/iam/policy.ts";
import { type Grant, shortName } from "./granted.ts";
import { type Justified, justified } from "./justified.ts";

/** Whether an entry of the list justifies a grant. */
export const justifies = (
  { bundles, actions, on }: Justified,
  { bundle, action, resource }: Grant,
): boolean =>
  (bundles === "all" || bundles.some((name) => name === bundle)) &&
  actions.includes(action) &&
  on.some((pattern) => matches(pattern, shortName(resource)));

export const isJustified = (grant: Grant): boolean => justified.some((entry) => justifies(entry, grant));
