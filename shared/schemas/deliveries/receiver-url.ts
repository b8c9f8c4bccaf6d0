import * as v from "valibot";
import { fault } from "../values/fields.ts";

const MAX_CHARS = 2_048;

const isReceiver = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
};

/**
 * Address that receives messages. Whether its host may be reached is decided where the settings are known
 * (`shared/outbound/refused-address.ts`), and once more when a message is sent.
 */
export const ReceiverUrl = v.pipe(
  v.string(),
  v.maxLength(MAX_CHARS, fault("string_too_long", `String should have at most ${MAX_CHARS} characters`)),
  v.check(
    isReceiver,
    fault("url_parsing", "Input should be an http or https address without a user name or a password"),
  ),
  v.metadata({ jsonSchema: { type: "string", format: "uri", maxLength: MAX_CHARS } }),
);
