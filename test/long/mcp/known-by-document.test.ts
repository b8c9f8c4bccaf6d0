import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { traceIdOf } from "../../../shared/stores/traces/trace-item.ts";
import { appSignIn, listeningProgram } from "../../support/app-sign-in.ts";
import { hasBrowser, openPage, startBrowser } from "../../support/browser.ts";
import { clientOf } from "../../support/client.ts";
import { dbOfFolder } from "../../support/db-of-folder.ts";
import { everythingStored } from "../../support/everything-stored.ts";
import { type KillablePlatform, killablePlatform } from "../../support/killable-platform.ts";
import { startKnownHost } from "../../support/known-host.ts";
import { type SpanCollector, startSpanCollector } from "../../support/span-collector.ts";
import { readTables } from "../../support/stored.ts";

const TIMEOUT_MS = 200_000;
const CLIENT_ID = "https://desk.example/client.json";

describe.skipIf(!hasBrowser)("on the platform of npm start, a client that knows the address alone", () => {
  let host: Awaited<ReturnType<typeof startKnownHost>>;
  let own: Awaited<ReturnType<typeof listeningProgram>>;
  let collector: SpanCollector;
  let platform: KillablePlatform;
  beforeAll(async () => {
    collector = await startSpanCollector();
    own = await listeningProgram();
    host = await startKnownHost("desk.example", () => ({
      ...{ client_id: CLIENT_ID, client_name: "Desk", redirect_uris: [own.redirect_uri] },
    }));
    platform = await killablePlatform(
      {
        ...{ ...host.env, TRACING: "on", OTLP_CONTENT: "true", OTLP_ENDPOINTS: collector.url },
        ...{ FETCH_ALLOWED_HOSTS: new URL(collector.url).host },
      },
      "tests",
      host.execArgv,
    );
    await platform.start();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await platform?.end();
    await host?.stop();
    await collector?.stop();
    await own?.stop();
  });

  const secrets = new Map<string, string>();
  let run_id = "";

  test(
    "is known by its document, let in by its user in the console, works, and refreshes",
    async () => {
      const auth = appSignIn(own.redirect_uri, CLIENT_ID);
      const answers: string[] = [];
      const watched = async (input: string | URL, init?: RequestInit) => {
        const answer = await fetch(input, init);
        answers.push(`${answer.status} ${new URL(input).pathname}`);
        return answer;
      };
      const connecting = () => {
        const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
        const url = new URL(`${platform.url}/mcp`);
        const transport = new StreamableHTTPClientTransport(url, {
          authProvider: auth as never,
          fetch: watched,
        });
        return { client, transport, connected: client.connect(transport) };
      };
      const first = connecting();
      await expect(first.connected).rejects.toThrow();
      expect(answers).toEqual([
        "401 /mcp",
        "200 /.well-known/oauth-protected-resource/mcp",
        "200 /.well-known/oauth-authorization-server",
      ]);
      expect(auth.kept.client).toMatchObject({ client_id: CLIENT_ID });

      const browser = await startBrowser();
      const { page, faults } = await openPage(browser);
      await page.goto(String(auth.kept.address));
      await page.getByLabel("Access token").fill(platform.token("maria", ["agents:read", "agents:run"]));
      await page.getByRole("button", { name: "Sign in with the token" }).click();
      await page.getByRole("heading", { name: "Desk wants to act for you" }).waitFor();
      await page.getByText("desk.example", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Allow" }).click();
      const answer = await own.answered;
      expect(faults).toEqual([]);
      await browser.close();
      expect(host.asked).toEqual(["/client.json"]);

      await first.transport.finishAuth(answer);
      const granted = { ...Object(auth.kept.tokens) };
      const { client, connected } = connecting();
      await connected;
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("run_agent");
      const ran = async (message: string) =>
        Object(
          (await client.callTool({ name: "run_agent", arguments: { agent_id: "assistant", message } }))
            .structuredContent,
        );
      run_id = (await ran("hello")).run_id;

      const form = {
        grant_type: "refresh_token",
        client_id: CLIENT_ID,
        refresh_token: granted.refresh_token,
      };
      const refreshed = await clientOf(platform.url).post("/oauth/token", { form });
      expect(refreshed.status).toBe(200);
      auth.saveTokens(refreshed.json);
      expect(await ran("hello again")).toMatchObject({ status: "COMPLETED" });
      await client.close();
      // Its beginning says what it is and whose, which is no secret.
      for (const [name, value] of Object.entries({
        code: answer.get("code"),
        verifier: auth.codeVerifier(),
        access: granted.access_token,
        refresh: granted.refresh_token,
        "access after": refreshed.json.access_token,
        "refresh after": refreshed.json.refresh_token,
      }))
        secrets.set(name, String(value).slice(-43));
    },
    TIMEOUT_MS,
  );

  test(
    "leaves nothing by which another could act for its user: in no table, no object, no span and no line of a log",
    async () => {
      await expect.poll(() => collector.spans.length).toBeGreaterThan(2);
      await platform.kill();
      const { db, stop } = await dbOfFolder(platform.dataDir);
      const stored = await everythingStored({ read: () => readTables(db) }, platform.dataDir);
      await stop();
      const exported = {
        where: "what was exported",
        text: JSON.stringify([collector.spans, collector.logs]),
      };
      const places = [...stored, exported];
      // It looks where everything is: at the grant, the trace of its run, and what functions wrote.
      for (const kept of [CLIENT_ID, traceIdOf(run_id), '"level":"INFO"'])
        expect(
          places.filter(({ text }) => text.includes(kept)),
          kept,
        ).not.toEqual([]);
      const found = [...secrets].flatMap(([name, secret]) =>
        formsOf(secret).flatMap((form) =>
          places.flatMap(({ where, text }) => (text.includes(form) ? [`${name} in ${where}`] : [])),
        ),
      );
      expect(secrets.size).toBe(6);
      expect(found).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** A secret as it is, for an address, and in base64 wherever it stands among other bytes. */
function formsOf(secret: string): string[] {
  const encoded = [0, 1, 2].flatMap((before) =>
    (["base64", "base64url"] as const).map((by) => {
      // Of what stands beside it the first four and the last four characters have a part.
      const text = Buffer.from("x".repeat(before) + secret).toString(by);
      return text.slice(4, -4);
    }),
  );
  return [...new Set([secret, encodeURIComponent(secret), ...encoded])];
}
