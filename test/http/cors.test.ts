import * as v from "valibot";
import { expect, test } from "vitest";
import { parseOrigins } from "../../shared/http/cors.ts";
import { entrance } from "../../shared/settings/rows/entrance.ts";

const defaults = ["http://localhost:3000", "http://127.0.0.1:3000", "https://os.agno.com"];

test.each([
  ["", defaults],
  ["*", defaults],
  ["https://a.example", ["https://a.example"]],
  [" https://a.example/ , *, https://b.example", ["https://a.example", "https://b.example"]],
])("origins configured as '%s' are %j", (configured, expected) => {
  const origins = v.parse(entrance.corsAllowedOrigins.form.schema, configured);
  expect([...parseOrigins(origins)]).toEqual(expected);
});
