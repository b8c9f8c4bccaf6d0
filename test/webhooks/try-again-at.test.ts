import { expect, test } from "vitest";
import { tryAgainAt } from "../../shared/chat/try-again-at.ts";

/** The waits until a delivery is given up, where every try fails. */
function waits(ends?: number): number[] {
  const found: number[] = [];
  for (let [now, times] = [0, 0]; ; times += 1) {
    const next = tryAgainAt({ now, since: 0, times, afterSeconds: 2, ends });
    if (next === undefined) return found;
    found.push(next - now);
    now = next;
  }
}

test("an answer is tried for a day, soon at first and then every quarter of an hour, and at the very end", () => {
  const all = waits();
  expect(all.slice(0, 8)).toEqual([5, 15, 60, 120, 300, 600, 900, 900]);
  expect(all.reduce((sum, wait) => sum + wait, 0)).toBe(86_400);
});

test("it is tried no longer than the platform accepts answers, and no sooner than it asks for", () => {
  expect(waits(3_600).reduce((sum, wait) => sum + wait, 0)).toBe(3_600);
  expect(tryAgainAt({ now: 0, since: 0, times: 0, afterSeconds: 77, ends: undefined })).toBe(77);
});
