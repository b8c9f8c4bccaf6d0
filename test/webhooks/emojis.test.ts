import { describe, expect, test } from "vitest";
import { feedbackId, readFeedback, scoreOfEmoji, scoreOfName } from "../../shared/chat/feedback.ts";

describe("what is said by an emoji or a button", () => {
  test.each([
    ["👍", "+1", 1],
    ["👍🏿", "thumbsup::skin-tone-6", 1],
    ["❤️", "heart", 1],
    ["🎉", "tada", 1],
    ["🔥", "fire", 1],
    ["👎", "-1", 0],
    ["😡", "rage", 0],
    ["💩", "hankey", 0],
    ["🤔", "thinking_face", undefined],
    ["", "constructor", undefined],
  ])("%s and %s say %s", (emoji, name, score) => {
    expect([scoreOfEmoji(emoji), scoreOfName(name)]).toEqual([score, score]);
  });
  test("a button names the run in fewer bytes than Telegram takes, and no other payload is one", () => {
    const run = "01990000-0000-7000-8000-00000000000a";
    const ids = [feedbackId(run, 0), feedbackId(run, 1)];
    expect(ids.map((id) => Buffer.byteLength(id))).toEqual([41, 41]);
    expect(ids.map(readFeedback)).toEqual([
      { run_id: run, score: 0 },
      { run_id: run, score: 1 },
    ]);
    for (const id of [undefined, "", `fb:${run}:2`, `run:${run}:y`, `fb:${run}:1:1`]) {
      expect(readFeedback(id)).toBeUndefined();
    }
  });
});
