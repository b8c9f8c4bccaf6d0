import type { FeedbackBody } from "../../schemas/feedback/feedback.ts";
import type { FeedbackKeys } from "../../schemas/feedback/feedback-keys.ts";

type KeyForm = FeedbackKeys[string];
type Said = Pick<FeedbackBody, "key" | "score" | "value" | "comment" | "correction">;

/** Keys that there are without a setting. */
const builtIn: FeedbackKeys = {
  thumb: { type: "boolean" },
  rating: { type: "number", min: 1, max: 5 },
};

/**
 * What is wrong with feedback, apart from its form; undefined for nothing.
 *
 * @param keys  the instance's; undefined where any key may be used
 */
export function feedbackFault(said: Said, keys: FeedbackKeys | undefined): string | undefined {
  const { key, score, value, comment, correction } = said;
  if (key === "correction") return correction ? undefined : "correction is required with the key correction";
  const form = formOf(builtIn, key) ?? formOf(keys ?? {}, key);
  if (form) return faultOf(key, form, said);
  if (keys) {
    const known = [...Object.keys(builtIn), "correction", ...Object.keys(keys)].join(", ");
    return `key ${key} is not one of this instance's: ${known}`;
  }
  const isEmpty = [score, value, comment, correction].every((one) => one === undefined);
  return isEmpty ? "give a score, a value, a comment or a correction" : undefined;
}

const formOf = (forms: FeedbackKeys, key: string): KeyForm | undefined =>
  Object.hasOwn(forms, key) ? forms[key] : undefined;

function faultOf(key: string, form: KeyForm, { score, value, comment }: Said): string | undefined {
  switch (form.type) {
    case "boolean":
      return score === 0 || score === 1 ? undefined : `${key} takes the score 0 or 1`;
    case "number":
      return numberFault(key, form, score);
    case "category":
      return value !== undefined && form.categories?.includes(value)
        ? undefined
        : `${key} takes one of these values: ${form.categories?.join(", ")}`;
    case "text":
      return value === undefined && comment === undefined ? `${key} takes a value or a comment` : undefined;
  }
}

function numberFault(key: string, { min, max }: KeyForm, score: number | undefined): string | undefined {
  if (score === undefined) return `${key} takes a score`;
  const fits = score >= (min ?? score) && score <= (max ?? score);
  return fits ? undefined : `${key} takes a score from ${min ?? "any"} to ${max ?? "any"}`;
}
