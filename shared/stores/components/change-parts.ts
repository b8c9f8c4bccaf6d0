import { absentOr, isNew } from "../../data/guard.ts";
import type { Parts } from "../../data/transact.ts";
import { checkItem, deleteItem, putItem, type Write } from "../../data/writes.ts";
import type { ComponentChange } from "../../domain/components/component-change.ts";
import { ServiceError } from "../../errors.ts";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import { componentItem } from "./component-item.ts";
import { componentKey, labelKey, pinsKey, pinsOf, versionKey } from "./component-keys.ts";
import { pinWrites } from "./pin-writes.ts";
import { totalWrites } from "./total-writes.ts";
import { versionItem } from "./version-item.ts";

/** The writes of a change, by what they are to the component. */
export type ComponentParts = Parts<
  "component" | "relied" | "unreferenced" | "label" | "version" | "pins" | "totals"
>;

/** The writes of a change. The component comes first: if it has changed, the other refusals do not matter. */
export const changeParts = (seen: ComponentRecord | undefined, change: ComponentChange): ComponentParts => ({
  // Only such changes write the item, so the revision guards all of it.
  component: putItem(
    "components",
    componentItem(change.component),
    seen ? { revision: seen.revision } : isNew,
  ),
  relied: reliedChecks(change),
  unreferenced: unreferencedCheck(change),
  label: labelWrites(change),
  version: versionWrite(change),
  pins: pinWrites(change),
  totals: totalWrites(seen, change.component),
});

/** The error for a refused part; undefined where the refusal is merely a lost race. */
export function refusalOf(
  { component, unreferenced, after }: ComponentChange,
  refused: keyof ComponentParts,
): ServiceError | undefined {
  if (refused === "label")
    return new ServiceError("BAD_REQUEST", `label ${after?.label} is taken by another version`);
  if (refused !== "unreferenced") return undefined;
  const whole = `component ${component.component_id}`;
  const what = unreferenced === "component" ? whole : `version ${unreferenced} of ${whole}`;
  return new ServiceError("CONFLICT", `${what} is held by a version of another component`);
}

const reliedChecks = ({ relied }: ComponentChange): Write[] =>
  [...relied].map(([id, revision]) =>
    checkItem("components", componentKey(id), revision === undefined ? isNew : { revision }),
  );

function unreferencedCheck({ component, unreferenced: of }: ComponentChange): Write | undefined {
  if (of === undefined) return undefined;
  const references = of === "component" ? "total" : pinsOf(of);
  return checkItem("components", pinsKey(component.component_id), { [references]: absentOr(0) });
}

function labelWrites({ component, before, after }: ComponentChange): Write[] {
  if (before?.label === after?.label) return [];
  const id = component.component_id;
  return [
    ...(before?.label === undefined ? [] : [deleteItem("components", labelKey(id, before.label))]),
    ...(after?.label === undefined
      ? []
      : [putItem("components", { ...labelKey(id, after.label), version: after.version }, isNew)]),
  ];
}

function versionWrite({ before, after }: ComponentChange): Write | undefined {
  if (after) return putItem("components", versionItem(after));
  return before && deleteItem("components", versionKey(before.component_id, before.version));
}
