import * as v from "valibot";
import { onOff, text, yesNo } from "../forms.ts";
import type { Settings } from "../setting.ts";

/** Whether events are kept for receivers, and for which. Every function that writes what they are about reads these. */
export const events = {
  /**
   * whether receivers are notified when runs end, by [callbacks and endpoints](guide/webhooks.md); `on` with `npm start` and on
   * stage `dev`, else `off`. It takes a secret in Secrets Manager, for $0.40 a month
   */
  webhooks: { variable: "WEBHOOKS", form: onOff, default: { otherwise: "off", development: "on" } },
  /**
   * EventBridge bus of the account that gets an [event for every change](guide/events.md) of runs, jobs, approvals,
   * schedules and evaluations
   */
  eventBus: {
    variable: "EVENT_BUS",
    form: text(
      "the name of an event bus, or `default`",
      v.pipe(
        v.string(),
        v.regex(/^[/.\-_A-Za-z0-9]{1,256}$/, "must be the name of an event bus, or default"),
        v.check((name) => !name.startsWith("aws."), "must be a bus of the account, and not one of a partner"),
      ),
    ),
  },
  /** whether the events of runs on the bus carry their answers */
  eventBusContents: { variable: "EVENT_BUS_CONTENTS", form: yesNo, default: "false" },
} as const satisfies Settings;
