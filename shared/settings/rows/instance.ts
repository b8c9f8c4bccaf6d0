import * as v from "valibot";
import { matching, text } from "../forms.ts";
import type { Settings } from "../setting.ts";

/** What a deployment is called. */
export const instance = {
  /** names the stacks; the data of `dev` and `local` goes with its stack, that of every other stage is protected */
  stage: {
    variable: "STAGE",
    local: false,
    form: matching("a short lower-case name", /^[a-z][a-z0-9-]{0,19}$/, "must be a short lower-case name"),
    default: "dev",
    required: true,
  },
  /** names this instance on the wire (`os_id`) */
  osId: {
    variable: "OS_ID",
    form: text("not empty", v.pipe(v.string(), v.nonEmpty("must not be empty"))),
    default: "agent-platform",
    required: true,
  },
} as const satisfies Settings;
