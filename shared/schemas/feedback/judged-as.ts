import * as v from "valibot";
import { describedAs } from "../values/described-as.ts";

const FORM = /^([a-z0-9_-]{1,64})(?::(-?\d{1,15}(?:\.\d{1,15})?))?$/;

/** A key of feedback, and behind a colon a score: `thumb:0`. Empty means "not given". */
export const JudgedAsText = v.optional(
  v.pipe(
    describedAs(v.string(), { type: "string", pattern: FORM.source }),
    v.check((text) => text === "" || FORM.test(text), "must be a key, or a key and a score such as thumb:0"),
    v.transform((text) => (text === "" ? undefined : text)),
  ),
);

/** What such a text asks for. @param text one that the schema took */
export function judgedAs(text: string): { readonly key: string; readonly score?: number } {
  const [, key = text, score] = FORM.exec(text) ?? [];
  return { key, ...(score !== undefined && { score: Number(score) }) };
}
