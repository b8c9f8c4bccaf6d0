import { describe, expect, test } from "vitest";
import { oldVersions } from "../../shared/domain/jobs/old-versions.ts";

const DAY = 86_400;
const NOW = 100 * DAY;
/** Published so many days ago. */
const version = (name: string, daysAgo: number) => ({ version: name, published_at: NOW - daysAgo * DAY });

describe("versions to which no run is pinned any more", () => {
  test("are those that were replaced for longer than runs stay pinned, however long they were live", () => {
    const versions = [version("3", 1), version("1", 50), version("2", 3), version("4", 0)];
    expect(oldVersions(versions, "4", 2, NOW)).toEqual(["1"]);
    expect(oldVersions(versions, "4", 1, NOW)).toEqual(["1", "2"]);
  });

  test("are never the live one nor one after it, as after a deployment that was rolled back", () => {
    const versions = [version("1", 50), version("2", 40), version("3", 30)];
    expect(oldVersions(versions, "2", 2, NOW)).toEqual(["1"]);
    expect(oldVersions(versions, "1", 2, NOW)).toEqual([]);
  });

  test("are none when the live one is not among them", () => {
    expect(oldVersions([version("1", 50), version("2", 40)], "9", 2, NOW)).toEqual([]);
  });

  test("stay for the hour in which what they execute ends, also where runs are not pinned", () => {
    const versions = [version("1", 50), { version: "2", published_at: NOW - 1_800 }];
    expect(oldVersions(versions, "2", 0, NOW)).toEqual([]);
    expect(oldVersions(versions, "2", 0, NOW + 1_801)).toEqual(["1"]);
  });
});
