import {
  absentOr,
  checkItem,
  deleteItem,
  isNew,
  type Key,
  type Parts,
  putItem,
  transact,
  updateItem,
  type Write,
} from "../../data/index.ts";
import { differingFacts } from "../../domain/audit/recorded-facts.ts";
import { audienceOf } from "../../domain/components/audience.ts";
import type { ComponentChange } from "../../domain/components/component-change.ts";
import { requireStorable } from "../../domain/components/require-storable.ts";
import { ServiceError } from "../../errors.ts";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import { auditedChange } from "../audit/audit-item.ts";
import type { Db } from "../db.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import {
  type Counted,
  componentItem,
  componentKey,
  countKey,
  countOf,
  getComponent,
  labelKey,
  pinsKey,
  pinsOf,
  stateOf,
  versionKey,
} from "./component-item.ts";
import { versionItem } from "./version-item.ts";

/** A decision about a component. Without a change the component stays as it is. */
export type Decided = {
  readonly change: ComponentChange | undefined;
  /** What the audit records of the decision, in addition to what it changes. */
  readonly facts?: object | undefined;
  /** Writes the parts together with others; absent for a transaction of their own. */
  readonly commit?: Commit | undefined;
};
export type Commit = (
  parts: ComponentParts,
) => Promise<
  { readonly written: true } | { readonly written: false; readonly refused: keyof ComponentParts }
>;

/**
 * Changes a component, its versions and their references in one transaction. It is guarded by the revision that the
 * decision was made on, and by those of the components that it relied on: after a lost race the decision is repeated.
 *
 * @param decide  called again after a lost race; refuses by throwing
 * @returns       the component as it is now; undefined when there is none and none was created
 * @throws ServiceError as decided; BAD_REQUEST for a label that is taken, CONFLICT for what other components link to
 */
export async function changeComponent(
  db: Db,
  id: string,
  decide: (component: ComponentRecord | undefined) => Promise<Decided>,
): Promise<{ component: ComponentRecord | undefined; change: ComponentChange | undefined }> {
  const tryOnce = async () => {
    const seen = await getComponent(db, id);
    const { change, facts, commit = (parts) => transact(db, parts) } = await decide(seen);
    if (!change) return { component: seen, change };
    const component = { ...change.component, revision: (seen?.revision ?? 0) + 1 };
    requireStorable(component);
    const result = await commit(changeParts(db, seen, { ...change, component }, facts));
    if (result.written) return { component, change };
    const refusal = refusalOf(change, result.refused);
    if (refusal) throw refusal;
    return undefined;
  };
  const others = `component ${id} is being changed by others again and again; try once more`;
  return retryUntilWritten(tryOnce, () => new ServiceError("CONFLICT", others));
}

/** The writes of a change, by what they are to the component. */
type ComponentParts = Parts<
  "component" | "relied" | "unreferenced" | "label" | "version" | "pins" | "totals" | "audit"
>;

/** The writes of a change. The component comes first: if it has changed, the other refusals do not matter. */
const changeParts = (
  db: Db,
  seen: ComponentRecord | undefined,
  change: ComponentChange,
  facts: object | undefined,
): ComponentParts => ({
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
  audit: auditWrite(db, seen, change, facts),
});

/** What differs of the component, and of the version; configs as digests where they are long. */
function auditWrite(
  db: Db,
  seen: ComponentRecord | undefined,
  { component, before, after }: ComponentChange,
  facts: object | undefined,
): Write {
  const version = (after ?? before)?.version;
  const whole = differingFacts(seen ?? {}, component);
  const part = differingFacts(before ?? {}, after ?? {});
  return auditedChange(db, {
    target: {
      component_id: component.component_id,
      ...(version !== undefined && { version: String(version) }),
    },
    before: { ...whole.before, ...(before && { version: part.before }) },
    after: { ...whole.after, ...(after && { version: part.after }), ...facts },
  });
}

/** The error for a refused part; undefined where the refusal is merely a lost race. */
function refusalOf(
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

/** Updates each child's reference counts by the added and removed links; unchanged counts are not written. */
function pinWrites({ pinned, unpinned }: ComponentChange): Write[] {
  const byChild = new Map<string, Map<number, number>>();
  const count = (id: string, version: number, by: number) => {
    const versions = byChild.get(id) ?? new Map<number, number>();
    byChild.set(id, versions.set(version, (versions.get(version) ?? 0) + by));
  };
  for (const link of pinned) count(link.child_component_id, link.child_version, 1);
  for (const link of unpinned) count(link.child_component_id, link.child_version, -1);
  return [...byChild].flatMap(([id, versions]) => addPins(id, versions) ?? []);
}

function addPins(id: string, versions: ReadonlyMap<number, number>): Write | undefined {
  const moves = [...versions].filter(([, by]) => by !== 0);
  if (moves.length === 0) return undefined;
  const total = moves.reduce((sum, [, by]) => sum + by, 0);
  return updateItem("components", pinsKey(id), {
    add: { total, ...Object.fromEntries(moves.map(([version, by]) => [pinsOf(version), by])) },
  });
}

/** The writes that update the totals of the lists when a component moves to another state or audience. */
function totalWrites(before: ComponentRecord | undefined, after: ComponentRecord): Write[] {
  const places = new Map<Counted, Map<string, number>>();
  const count = (component: ComponentRecord, by: number) => {
    const name = countOf(stateOf(component), component.component_type);
    for (const counted of ["all", audienceOf(component)] as const) {
      const names = places.get(counted) ?? new Map<string, number>();
      places.set(counted, names.set(name, (names.get(name) ?? 0) + by));
    }
  };
  if (before) count(before, -1);
  count(after, 1);
  return [...places].flatMap(
    ([counted, names]) => addCounts(countKey(counted, after.component_id), names) ?? [],
  );
}

function addCounts(key: Key, names: ReadonlyMap<string, number>): Write | undefined {
  const moves = [...names].filter(([, by]) => by !== 0);
  if (moves.length === 0) return undefined;
  return updateItem("components", key, { add: Object.fromEntries(moves) });
}
