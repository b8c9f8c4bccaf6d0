import type { FeedbackKeys } from "../../schemas/feedback/feedback-keys.ts";

const always = ["thumb", "rating", "correction"];

/** The first of some keys that feedback of an instance cannot have. @param known  undefined where it may be any */
export const unknownKey = (keys: readonly string[], known: FeedbackKeys | undefined): string | undefined =>
  keys.find((key) => known !== undefined && !always.includes(key) && !Object.hasOwn(known, key));

export const LINKS_ARE_OFF =
  "this instance has no links for feedback; its operator switches them on (feedbackLinks=on)";
