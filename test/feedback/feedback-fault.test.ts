import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { feedbackFault } from "../../shared/domain/feedback/feedback-fault.ts";
import { FeedbackBody } from "../../shared/schemas/feedback/feedback.ts";
import type { FeedbackKeys } from "../../shared/schemas/feedback/feedback-keys.ts";
import { feedback } from "../../shared/settings/rows/feedback.ts";

const keys: FeedbackKeys = {
  helpful: { type: "boolean" },
  seconds: { type: "number", min: 0, max: 60, lower_is_better: true },
  tone: { type: "category", categories: ["kind", "rude"] },
  note: { type: "text" },
};

describe("what feedback may say", () => {
  test.each([
    [{ key: "thumb", score: 1 }],
    [{ key: "thumb", score: 0, comment: "no" }],
    [{ key: "rating", score: 1 }],
    [{ key: "rating", score: 5 }],
    [{ key: "correction", correction: "Tuesday" }],
    [{ key: "helpful", score: 0 }],
    [{ key: "seconds", score: 60 }],
    [{ key: "tone", value: "rude" }],
    [{ key: "note", value: "" }],
    [{ key: "note", comment: "long" }],
  ])("%j is taken where the keys are closed", (said) => {
    expect(feedbackFault(said, keys)).toBeUndefined();
  });

  test.each([
    [{ key: "unheard-of", score: 1 }, "not one of this instance's"],
    [{ key: "constructor", score: 1 }, "not one of this instance's"],
    [{ key: "thumb", score: 2 }, "0 or 1"],
    [{ key: "thumb", value: "up" }, "0 or 1"],
    [{ key: "rating", score: 0 }, "from 1 to 5"],
    [{ key: "rating", score: 5.1 }, "from 1 to 5"],
    [{ key: "rating" }, "takes a score"],
    [{ key: "correction", comment: "wrong" }, "correction is required"],
    [{ key: "seconds", score: -1 }, "from 0 to 60"],
    [{ key: "tone", value: "loud" }, "kind, rude"],
    [{ key: "note", score: 1 }, "a value or a comment"],
  ])("%j is refused", (said, fault) => {
    expect(feedbackFault(said, keys)).toContain(fault);
  });

  test("any key is taken where none are named, if it says something", () => {
    expect(feedbackFault({ key: "my-own_1", score: -0.5 }, undefined)).toBeUndefined();
    expect(feedbackFault({ key: "my-own_1" }, undefined)).toContain("give a score");
  });
});

describe("the form of feedback", () => {
  const faults = (said: object): boolean => !v.is(FeedbackBody, { session_id: "s", key: "k", ...said });

  test.each([
    ["a score that is no number", { score: Number.NaN }],
    ["an endless score", { score: Number.POSITIVE_INFINITY }],
    ["a score as text", { score: "1" }],
    ["a value of 501 characters", { value: "x".repeat(501) }],
    ["a comment above 16 KB", { comment: "x".repeat(16_385) }],
    ["a correction above 16 KB", { correction: "ü".repeat(8_193) }],
    ["a key with capitals", { key: "Upper" }],
    ["an empty key", { key: "" }],
    ["a key of 65 characters", { key: "k".repeat(65) }],
    ["an empty author", { author: "" }],
    ["no session", { session_id: undefined }],
  ])("refuses %s", (_, said) => {
    expect(faults(said)).toBe(true);
  });

  test("takes texts as long as they may be", () => {
    expect(faults({ value: "🙂".repeat(500), comment: "x".repeat(16_384), key: "k".repeat(64) })).toBe(false);
  });
});

test("the setting refuses a category without its categories, and a key that none may have", () => {
  const { schema } = feedback.feedbackKeys.form;
  expect(v.is(schema, JSON.stringify(keys))).toBe(true);
  for (const wrong of [
    { tone: { type: "category" } },
    { "no key": { type: "text" } },
    { a: { type: "date" } },
    [],
  ]) {
    expect(v.is(schema, JSON.stringify(wrong))).toBe(false);
  }
});
