import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

/** What a page of a host says after a request was not answered. */
async function saidAt(hostname: string, onLine: boolean): Promise<string> {
  vi.stubGlobal("location", { hostname });
  vi.stubGlobal("navigator", { onLine });
  vi.stubGlobal("addEventListener", () => undefined);
  // It begins to ask whether the platform is there again.
  vi.stubGlobal("setInterval", () => 0);
  // Another address is another module: what it knows of its page is found out once.
  const { unreached, connectionNow } = await import(
    `../../console/api/connection.ts?page=${encodeURIComponent(hostname)}-${onLine}`
  );
  unreached();
  return connectionNow();
}

test.each([
  ["agents.example.com", true, "unreachable"],
  ["agents.example.com", false, "offline"],
  ["127.0.0.1", false, "unreachable"],
  ["localhost", false, "unreachable"],
  ["[::1]", false, "unreachable"],
  ["localhost.example.com", false, "offline"],
])("a platform at %s that does not answer, with a network: %s, is %s", async (hostname, onLine, said) => {
  expect(await saidAt(hostname, onLine)).toBe(said);
});
