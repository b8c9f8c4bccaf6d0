import * as v from "valibot";
import { RunEventType } from "../../../schemas/deliveries/event-type.ts";
import { ReceiverUrl } from "../../../schemas/deliveries/receiver-url.ts";

/** Who is notified when the background runs of a component end: all events and no content, unless it says otherwise. */
export const CallbackEntry = v.strictObject({
  url: ReceiverUrl,
  events: v.exactOptional(v.array(RunEventType)),
  include_content: v.exactOptional(v.boolean()),
});
