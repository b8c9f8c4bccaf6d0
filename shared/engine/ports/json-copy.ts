import { isStorable, STORABLE } from "../../schemas/values/storable.ts";

/**
 * A copy of what a tool or a step hands over, as the record of the run will have it. Nobody keeps a hand on it.
 *
 * @throws TypeError when JSON has no way to write it (a cycle, a bigint), or the record none to keep it
 */
export function jsonCopy<Value>(value: Value): Value {
  const copy: Value = JSON.parse(JSON.stringify(value));
  if (isStorable(copy)) return copy;
  throw new TypeError(`the record of the run cannot hold that: ${STORABLE}`);
}
