import { expect, test } from "vitest";
import { parseOrigins } from "../../shared/http/cors.ts";

test.each([
  ["", ["http://localhost:3000"]],
  ["*", ["http://localhost:3000"]],
  ["https://a.example", ["https://a.example"]],
  [" https://a.example/ , *, https://b.example", ["https://a.example", "https://b.example"]],
])("origins configured as '%s' are %j", (configured, expected) => {
  expect([...parseOrigins(configured)]).toEqual(expected);
});
