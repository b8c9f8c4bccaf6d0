import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/** Returns the time, in UTC or in the time zone that the model names. */
export const getTime = defineTool({
  name: "get_time",
  description: "Get the current date and time.",
  parameters: v.object({
    timezone: v.optional(
      v.pipe(v.string(), v.description("IANA name such as Europe/Zurich; UTC when left out")),
    ),
  }),
  effect: "safe",
  // An unknown time zone makes this throw; the model gets the error and may try another.
  execute: ({ timezone = "UTC" }) => {
    const time = new Intl.DateTimeFormat("en-GB", {
      dateStyle: "full",
      timeStyle: "long",
      timeZone: timezone,
    });
    return time.format(new Date());
  },
});
