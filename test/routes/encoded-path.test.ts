import { expect, test } from "vitest";
import { encodedPath } from "../../shared/routes/matching/encoded-path.ts";

test.each([
  ["a/b", "/things/a%2Fb/parts"],
  ["50% off", "/things/50%25%20off/parts"],
  ["a%41", "/things/a%2541/parts"],
  ["a?b#c", "/things/a%3Fb%23c/parts"],
  ["t1:cancel", "/things/t1:cancel/parts"],
  ["ü", "/things/%C3%BC/parts"],
  ["half a smile \ud83d", "/things/half%20a%20smile%20%EF%BF%BD/parts"],
])("an HTTP API's event for %s", (id, expected) => {
  const rawPath = `/things/${id}/parts`;
  expect(encodedPath({ routeKey: "GET /things/{id}/parts", rawPath, pathParameters: { id } })).toBe(expected);
});

test("a variable for several segments keeps their slashes", () => {
  const event = {
    routeKey: "ANY /files/{path+}",
    rawPath: "/files/a/b c",
    pathParameters: { path: "a/b c" },
  };
  expect(encodedPath(event)).toBe("/files/a/b%20c");
});

test.each(["/things/a%2Fb", "/", "/things/%"])("%s of a function URL stays as it is", (rawPath) => {
  expect(encodedPath({ routeKey: "$default", rawPath })).toBe(rawPath);
});
