import { expect, test } from "vitest";
import { shownErrors } from "../../shared/http/input/shown-input.ts";

const error = (input: unknown) => ({ type: "string_type", loc: ["body", "message"], msg: "wrong", input });

test("of a file that was sent in place of a text its name, type and size are shown, not its bytes", () => {
  const file = { filename: "cat.png", mime_type: "image/png", bytes: new Uint8Array([137, 80, 78]) };
  const [shown] = shownErrors([error(file)]);
  expect(shown?.input).toEqual({ filename: "cat.png", mime_type: "image/png", bytes: "3 bytes" });
});

test("a large file is shown like a small one", () => {
  const [shown] = shownErrors([error({ filename: "film.mp4", bytes: new Uint8Array(5_000_000) })]);
  expect(shown?.input).toEqual({ filename: "film.mp4", bytes: "5000000 bytes" });
});

test("an input that is not there stays so", () => {
  expect(shownErrors([error(undefined)])).toEqual([error(undefined)]);
});
