import { isStorable, STORABLE } from "../../schemas/values/storable.ts";

/**
 * A copy of a value from a tool or a step, as the record of the run will hold it. Later changes of the original do not
 * reach it.
 *
 * @throws TypeError when JSON cannot express it (a cycle, a bigint), or the record cannot store it
 */
export function jsonCopy<Value>(value: Value): Value {
  const copy: Value = JSON.parse(JSON.stringify(value));
  if (isStorable(copy)) return copy;
  throw new TypeError(`the record of the run cannot hold that: ${STORABLE}`);
}
