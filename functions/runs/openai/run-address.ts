import * as v from "valibot";
import type { Component } from "../../../shared/runs/index.ts";
import { parsedJson } from "../../../shared/schemas/values/json-values.ts";

/** A run, and within it maybe a call, as an id of this interface says where it is. */
export type RunPlace = {
  readonly component: Component;
  readonly session_id: string;
  readonly run_id: string;
  readonly call_id?: string | undefined;
};

const kind = v.picklist(["agent", "team", "workflow"]);
/** The longer one first: a tuple takes what has more members, too. */
const Place = v.union([
  v.tuple([kind, v.string(), v.string(), v.string(), v.string()]),
  v.tuple([kind, v.string(), v.string(), v.string()]),
]);

/**
 * An id that names a run by itself, so that nothing has to be stored to find it again. It is an address and no secret: each use
 * reads the run as its caller.
 */
export function addressOf(prefix: string, { component, session_id, run_id, call_id }: RunPlace): string {
  const place = [
    component.kind,
    component.id,
    session_id,
    run_id,
    ...(call_id === undefined ? [] : [call_id]),
  ];
  return `${prefix}${Buffer.from(JSON.stringify(place)).toString("base64url")}`;
}

/** What an id names; undefined for an id that is none of ours. */
export function placeOf(prefix: string, address: string): RunPlace | undefined {
  if (!address.startsWith(prefix)) return undefined;
  const read = v.safeParse(
    Place,
    parsedJson(Buffer.from(address.slice(prefix.length), "base64url").toString()),
  );
  if (!read.success) return undefined;
  const [of, id, session_id, run_id, call_id] = read.output;
  return { component: { kind: of, id }, session_id, run_id, call_id };
}
