import { describe, expect, test } from "vitest";
import { targetsFor } from "../../console/shell/palette-targets.ts";

const to = (path: string) => ({ kind: "any", text: path, to: path });

const offered = (text: string, found: readonly ReturnType<typeof to>[] = []) =>
  targetsFor(text, {
    screens: [to("Runs"), to("Sessions")],
    components: [
      { kind: "agent", id: "desk", text: "Refunds (desk)", to: "desk" },
      { kind: "agent", id: "desk-2", text: "desk of others (desk-2)", to: "desk-2" },
    ],
    views: [to("Runs that failed")],
    users: [to("maria"), to("maria@example.com")],
    found,
    session: to(`session ${text}`),
    searches: [to(`runs with ${text}`)],
  }).map((target) => target.to);

describe("the palette offers", () => {
  test("views and screens before anything is typed", () => {
    expect(offered("")).toEqual(["Runs that failed", "Runs", "Sessions"]);
  });

  test("what a text names before what begins with it, and that before what has it within", () => {
    expect(offered("Runs").slice(0, 2)).toEqual(["Runs", "Runs that failed"]);
    expect(offered("desk").slice(0, 2)).toEqual(["desk", "desk-2"]);
    expect(offered("maria").slice(0, 2)).toEqual(["maria", "maria@example.com"]);
  });

  test("a search for a word, and a session for what may be the id of one", () => {
    expect(offered("parcel")).toEqual(["runs with parcel", "session parcel"]);
    expect(offered("where is it")).toEqual(["runs with where is it", "session where is it"]);
    expect(offered("accounts-of-october")).toEqual([
      "session accounts-of-october",
      "runs with accounts-of-october",
    ]);
  });

  test("what was found by its id first, and a session that was found only once", () => {
    expect(offered("0198-7", [to("the run")])).toEqual(["the run", "runs with 0198-7", "session 0198-7"]);
    expect(offered("0198-4", [to("session 0198-4")])).toEqual(["session 0198-4", "runs with 0198-4"]);
  });
});
