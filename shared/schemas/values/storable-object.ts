import * as v from "valibot";
import { fault, jsonObject } from "./fields.ts";
import { isStorable, unstorable } from "./storable.ts";

/**
 * An object of a JSON body that is stored unchanged, as an attribute of an item.
 *
 * @param maxBytes  limit of its JSON, if a larger one is not spilled
 */
export const storableObject = (maxBytes = Number.POSITIVE_INFINITY) =>
  v.pipe(
    // Names are checked before `v.record` drops those that no object should have.
    v.unknown(),
    v.check((value) => isStorable(value), unstorable),
    jsonObject(),
    v.check(
      (value) =>
        maxBytes === Number.POSITIVE_INFINITY || Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
      fault("value_error", `Value error, may hold at most ${maxBytes} bytes of JSON`),
    ),
  );
