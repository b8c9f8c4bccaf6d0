import { FeedbackKeys } from "../../schemas/feedback/feedback-keys.ts";
import { jsonObject } from "../forms.ts";
import type { Settings } from "../setting.ts";

/** What people may say about runs. */
export const feedback = {
  /**
   * the keys that [feedback](guide/feedback.md) may have, and what each takes: `{"helpful": {"type": "boolean"}, "tone": {"type":
   * "category", "categories": ["kind", "rude"]}}`; `thumb`, `rating` and `correction` are always there. Without it any key is taken
   */
  feedbackKeys: {
    variable: "FEEDBACK_KEYS",
    form: jsonObject(FeedbackKeys, "must be a JSON object of forms by key"),
  },
} as const satisfies Settings;
