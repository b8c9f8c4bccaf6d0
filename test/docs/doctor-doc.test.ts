import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { doctorDoc, doctorDocFile } from "../../scripts/docs/doctor-doc.ts";

test("the page about the doctor is that of its tables", () => {
  expect(readFileSync(doctorDocFile, "utf8")).toBe(doctorDoc());
});
