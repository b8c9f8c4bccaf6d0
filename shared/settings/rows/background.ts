import { choice, yesNo } from "../forms.ts";
import type { Settings } from "../setting.ts";

/** Whether background runs are accepted. */
export const background = {
  /** whether background runs are accepted; with `false` every request that needs the queue is answered with 503 */
  queueEnabled: { variable: "QUEUE_ENABLED", form: yesNo, default: "true" },
  /**
   * what becomes of a background run whose session has a live run, where the request does not say: with `queue` it waits,
   * so that the second of two messages sees the first one's answer
   */
  sessionPolicy: { variable: "SESSION_POLICY", form: choice("queue", "parallel"), default: "queue" },
} as const satisfies Settings;
