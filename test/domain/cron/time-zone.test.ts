import { expect, test } from "vitest";
import { canonicalZone } from "../../../shared/domain/cron/time-zone.ts";

test.each([
  ["Europe/Berlin", "Europe/Berlin"],
  ["europe/berlin", "Europe/Berlin"],
  ["AMERICA/NEW_YORK", "America/New_York"],
  ["America/Argentina/Buenos_Aires", "America/Buenos_Aires"],
  ["US/Pacific", "America/Los_Angeles"],
  ["utc", "UTC"],
  ["EST5EDT", "America/New_York"],
  ["Etc/GMT+5", "Etc/GMT+5"],
])("%s is taken, and means %s", (name, canonical) => {
  expect(canonicalZone(name)).toBe(canonical);
});

test.each(["EST", "Asia/Calcutta", "Asia/Kolkata", "GB", "Zulu", "America/Port-au-Prince"])(
  "%s is taken",
  (name) => {
    expect(canonicalZone(name)).toBeDefined();
  },
);

test.each([
  "+05:30",
  "UTC+1",
  "Z",
  "",
  " ",
  "Europe/Berlin ",
  "Mars/Olympus",
  "IST",
  "PST",
  "SystemV/PST8",
  "../etc",
])("%j is refused", (name) => {
  expect(canonicalZone(name)).toBeUndefined();
});
