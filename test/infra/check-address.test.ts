import { expect, test } from "vitest";
import { checkAddress } from "../../functions/deployment/check-address.ts";

/** A service that gives these statuses to `/health` and `/config`, and then the last ones for good. */
function serviceWith(...statuses: readonly (readonly [health: number | Error, config: number])[]) {
  const asked: string[] = [];
  let at = 0;
  let now = 0;
  const answer = async (address: string, headers: Record<string, string>): Promise<Response> => {
    asked.push(
      `${address.replace("https://agents.example", "")} ${headers.authorization === undefined ? "" : "with a credential"}`.trim(),
    );
    const [health, config] = statuses[Math.min(at, statuses.length - 1)] ?? [200, 401];
    if (health instanceof Error) throw health;
    return new Response(health === 503 ? "No answer from: table jobs" : "", {
      status: address.endsWith("/health?deep=1") ? health : config,
    });
  };
  const surroundings = {
    fetch: (address: string | URL | Request, init?: RequestInit) =>
      answer(String(address), Object(init?.headers)),
    sleep: async (ms: number) => {
      at += 1;
      now += ms;
    },
    now: () => now,
  };
  return { asked, check: () => checkAddress("https://agents.example", surroundings), waited: () => now };
}

test("a service that answers, and whose authorizer refuses an unknown credential, is right at once", async () => {
  const { check, asked, waited } = serviceWith([200, 401]);
  await check();
  expect(asked).toEqual(["/health?deep=1", "/config with a credential"]);
  expect(waited()).toBe(0);
});

test("routes and a distribution that are not known everywhere yet are waited for", async () => {
  const { check, waited } = serviceWith([new Error("no address"), 0], [404, 404], [200, 403], [200, 401]);
  await check();
  expect(waited()).toBe(15_000);
});

test("a part that does not answer fails the deployment after five minutes, by its name", async () => {
  const { check } = serviceWith([503, 401]);
  await expect(check()).rejects.toThrow(
    "answers with 503 No answer from: table jobs, where it should be 200",
  );
});

test("an authorizer that does not start fails the deployment after five minutes, with the answers", async () => {
  const { check, waited } = serviceWith([200, 500]);
  await expect(check()).rejects.toThrow(
    "https://agents.example/health?deep=1 answers with 200, where it should be 200, and to an unknown credential /config with 500, where it should be 401",
  );
  expect(waited()).toBe(300_000);
});
