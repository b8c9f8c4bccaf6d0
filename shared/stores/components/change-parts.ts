import type { ComponentChange } from "../../domain/components/component-change.ts";
import { ServiceError } from "../../errors.ts";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import { componentItem } from "./component-item.ts";
import { componentKey, labelKey, pinsKey, pinsOf, versionKey } from "./component-keys.ts";
import { countEntries } from "./count-entries.ts";
import { pinEntries } from "./pin-entries.ts";
import { versionItem } from "./version-item.ts";

/** One entry of the transaction, and the error if it is refused; without one, a refusal means a lost race. */
export type Entry = { readonly write: Write; readonly refusal?: ServiceError };

/** The writes of a change. The component comes first: if it has changed, the other refusals do not matter. */
export function changeEntries(db: Db, seen: ComponentRecord | undefined, change: ComponentChange): Entry[] {
  const writes = [putComponent(db, seen, change.component), ...reliedEntries(db, change)];
  return [
    ...writes.map((write) => ({ write })),
    ...unreferencedEntries(db, change),
    ...labelEntries(db, change),
    ...versionEntries(db, change).map((write) => ({ write })),
    ...pinEntries(db, change).map((write) => ({ write })),
    ...countEntries(db, seen, change.component).map((write) => ({ write })),
  ];
}

/** Only such changes write the item, so the revision guards all of it. */
function putComponent(db: Db, seen: ComponentRecord | undefined, component: ComponentRecord): Write {
  return {
    Put: {
      TableName: db.tables.components,
      Item: componentItem(component),
      ...(seen
        ? {
            ConditionExpression: "revision = :seen",
            ExpressionAttributeValues: { ":seen": seen.revision },
          }
        : { ConditionExpression: "attribute_not_exists(pk)" }),
    },
  };
}

const reliedEntries = (db: Db, { relied }: ComponentChange): Write[] =>
  [...relied].map(([id, revision]) => ({
    ConditionCheck: {
      TableName: db.tables.components,
      Key: componentKey(id),
      ...(revision === undefined
        ? { ConditionExpression: "attribute_not_exists(pk)" }
        : { ConditionExpression: "revision = :seen", ExpressionAttributeValues: { ":seen": revision } }),
    },
  }));

function unreferencedEntries(db: Db, { component, unreferenced }: ComponentChange): Entry[] {
  if (unreferenced === undefined) return [];
  const id = component.component_id;
  const what =
    unreferenced === "component" ? `component ${id}` : `version ${unreferenced} of component ${id}`;
  const write = {
    ConditionCheck: {
      TableName: db.tables.components,
      Key: pinsKey(id),
      ConditionExpression: "attribute_not_exists(#references) OR #references = :none",
      ExpressionAttributeNames: {
        "#references": unreferenced === "component" ? "total" : pinsOf(unreferenced),
      },
      ExpressionAttributeValues: { ":none": 0 },
    },
  };
  return [
    { write, refusal: new ServiceError("CONFLICT", `${what} is held by a version of another component`) },
  ];
}

function labelEntries(db: Db, { component, before, after }: ComponentChange): Entry[] {
  if (before?.label === after?.label) return [];
  const id = component.component_id;
  const TableName = db.tables.components;
  const entries: Entry[] = [];
  if (before?.label !== undefined)
    entries.push({ write: { Delete: { TableName, Key: labelKey(id, before.label) } } });
  if (after?.label === undefined) return entries;
  const Item = { ...labelKey(id, after.label), version: after.version };
  const refusal = new ServiceError("BAD_REQUEST", `label ${after.label} is taken by another version`);
  return [
    ...entries,
    { write: { Put: { TableName, Item, ConditionExpression: "attribute_not_exists(pk)" } }, refusal },
  ];
}

function versionEntries(db: Db, { before, after }: ComponentChange): Write[] {
  const TableName = db.tables.components;
  if (after) return [{ Put: { TableName, Item: versionItem(after) } }];
  if (before) return [{ Delete: { TableName, Key: versionKey(before.component_id, before.version) } }];
  return [];
}
