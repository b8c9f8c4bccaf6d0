import { describe, expect, test } from "vitest";
import {
  costText,
  countOf,
  countText,
  durationText,
  moneyText,
  shortCount,
} from "../../console/parts/amounts.ts";
import { cellOf } from "../../console/screens/runs/csv-cell.ts";
import { stepToOpen } from "../../console/screens/runs/step-to-open.ts";

describe("money", () => {
  test.each([
    [0, "$0"],
    [-0, "$0"],
    [-1e-12, "$0"],
    [-0.25, "−$0.2500"],
    [0.00001, "<$0.0001"],
    [0.0058, "$0.0058"],
    [0.0326, "$0.0326"],
    [0.99999, "$1.00"],
    [1234.5, "$1,234.50"],
    [undefined, "unknown"],
  ])("of %d is %s", (cost, text) => {
    expect(moneyText(cost)).toBe(text);
  });

  test("is unknown where a model without a price was asked, and left out where none was asked", () => {
    expect(costText({ total_tokens: 12 })).toBe("unknown");
    expect(costText({ input_tokens: 12, cost: 0.02 })).toBe("$0.0200");
    expect(costText({})).toBeUndefined();
  });
});

describe("a count", () => {
  test.each([
    [0, "0", "0", "0 memories"],
    [1, "1", "1", "1 memory"],
    [999, "999", "999", "999 memories"],
    [1_000, "1,000", "1,000", "1,000 memories"],
    [9_999, "9,999", "9,999", "9,999 memories"],
    [12_345, "12,345", "12.3K", "12,345 memories"],
    [1_234_567, "1,234,567", "1.2M", "1,234,567 memories"],
    [Number.NaN, "–", "–", " "],
    [undefined, "–", "–", " "],
    [null, "–", "–", " "],
  ])("of %d is %s, %s where there is little room, and %s", (count, text, shortText, named) => {
    expect(countText(count)).toBe(text);
    expect(shortCount(count)).toBe(shortText);
    expect(countOf(count, "memory", "memories")).toBe(named);
  });
});

describe("a duration", () => {
  test.each([
    [0, "1 ms"],
    [0.9996, "1.0 s"],
    [9.96, "10 s"],
    [59.7, "1 min 0 s"],
    [119.8, "2 min 0 s"],
    [3599.9, "1 h 0 min"],
    [200_000, "2 days"],
  ])("of %d seconds is %s", (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe("the step that opens", () => {
  const step = (id: string, depth: number, failed = false) => ({
    ...{ id, name: id, kind: "step" as const, depth, failed, duration: 1 },
  });

  test("is the deepest that failed, of several the last, and else the first", () => {
    const steps = [
      step("root", 0, true),
      step("a", 1),
      step("b", 1, true),
      step("tool", 2, true),
      step("c", 1, true),
    ];
    expect(stepToOpen(steps)?.id).toBe("tool");
    expect(stepToOpen([step("root", 0, true), step("a", 1, true), step("b", 1, true)])?.id).toBe("b");
    expect(stepToOpen([step("root", 0), step("a", 1)])?.id).toBe("root");
    expect(stepToOpen([])).toBeUndefined();
  });
});

describe("runs as texts", () => {
  test.each([
    ["plain", "plain"],
    ["=1+1", "'=1+1"],
    ['say "a, b"', '"say ""a, b"""'],
    ["+49\n30", '"\'+49\n30"'],
    [0.5, "0.5"],
    [-0.5, "-0.5"],
    [undefined, ""],
  ])("a table has %j as %s, and no formula", (value, cell) => {
    expect(cellOf(value)).toBe(cell);
  });
});
