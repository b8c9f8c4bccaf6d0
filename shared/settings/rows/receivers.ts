import * as v from "valibot";
import { ReceiverUrl } from "../../schemas/deliveries/receiver-url.ts";
import { eachOf, takes, text, texts } from "../forms.ts";
import type { Settings } from "../setting.ts";

/** `true` for any state machine of the account, or the names of some. */
const stateMachines = texts(
  "`true`, `false`, or names of state machines, separated by commas",
  v.pipe(
    eachOf(v.string()),
    v.transform((names): readonly string[] => {
      const [only] = names.length === 1 ? names : [];
      return only === "true" ? ["*"] : only === "false" ? [] : names;
    }),
    v.check(
      (names) => names.every((name) => name === "*" || /^[A-Za-z0-9_-]{1,80}$/.test(name)),
      "must be true, false or the names of state machines, separated by commas",
    ),
  ),
);

/** Where messages may be sent, and what is sent without a request. */
export const receivers = {
  /**
   * hosts from which content may be fetched, and to which messages may be sent, although they are not public; to these
   * also without TLS
   */
  fetchAllowedHosts: {
    variable: "FETCH_ALLOWED_HOSTS",
    form: texts("hosts with their ports, separated by commas", eachOf(v.pipe(v.string(), v.toLowerCase()))),
    unset: "",
  },
  /**
   * receiver of the ends of background runs, where neither their request nor their component names one; needs `webhooks`
   */
  callbackUrl: {
    variable: "CALLBACK_URL",
    form: text(
      "a URL",
      v.pipe(
        v.string(),
        v.check(
          (address) => v.is(ReceiverUrl, address),
          "must be an http or https address without a password",
        ),
      ),
    ),
  },
  /**
   * state machines of Step Functions whose tasks background runs may end, by
   * [`task_token`](guide/events.md#a-task-of-step-functions); `true` for all of the account and region
   */
  taskTokens: {
    variable: "TASK_TOKENS",
    form: {
      ...stateMachines,
      given: takes<string | boolean | readonly string[]>(stateMachines.given),
    },
    default: "false",
  },
} as const satisfies Settings;
