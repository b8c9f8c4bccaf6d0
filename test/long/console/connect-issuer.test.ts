import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, openPage, startBrowser } from "../../support/browser.ts";
import { clientOf } from "../../support/client.ts";
import { CLIENT_ID, type OidcProvider, startOidcProvider } from "../../support/oidc-provider.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

const VERIFIER = "the-verifier-of-an-app-that-is-let-in-by-a-user-0001";
const CALLBACK = "https://desk.example/callback";

describe.skipIf(!hasBrowser)("an app that a user of the issuer lets in", { timeout: 180_000 }, () => {
  let issuer: OidcProvider;
  let platform: TestPlatform;
  beforeAll(async () => {
    issuer = await startOidcProvider();
    platform = await startPlatform({
      env: { JWT_VERIFICATION_KEY: issuer.pem, MCP_GRANT_DAYS: "30" },
      context: { consoleIssuer: issuer.issuer, consoleClientId: CLIENT_ID },
      ...{ perThread: 16, concurrency: 1 },
    });
  });
  afterAll(async () => {
    await platform?.stop();
    await issuer?.stop();
  });

  /** What a client asks for, with the id that it has registered. */
  async function asked() {
    const { json } = await clientOf(platform.url).post("/oauth/register", {
      json: { client_name: "Desk", redirect_uris: [CALLBACK] },
    });
    const state = randomUUID();
    const fields = {
      ...{ response_type: "code", client_id: String(json.client_id), redirect_uri: CALLBACK, state },
      code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
      ...{ code_challenge_method: "S256", resource: `${platform.url}/mcp` },
    };
    return {
      client_id: fields.client_id,
      address: `${platform.url}/oauth/authorize?${new URLSearchParams(fields)}`,
    };
  }
  const token = (form: Record<string, string>) => clientOf(platform.url).post("/oauth/token", { form });

  test("works for as long as the issuer knows the user, whoever else of the browser is signed in", async () => {
    const browser = await startBrowser();
    const { page, faults } = await openPage(browser);
    const sent: string[] = [];
    const answers: URL[] = [];
    await page.context().route(`${CALLBACK}**`, async (route) => {
      answers.push(new URL(route.request().url()));
      await route.fulfill({ body: "Back in the app" });
    });
    page.context().on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    const first = await asked();
    await page.goto(first.address);
    await page.getByRole("button", { name: /^Continue with/ }).click();
    await page.getByRole("heading", { name: "Desk wants to act for you" }).waitFor();
    await page.getByText("30 days").waitFor();

    // Another page of the console stays signed in, and an app that is let in beside it has a sign-in of its own.
    const other = await page.context().newPage();
    const second = await asked();
    await other.goto(second.address);
    await other.getByText("30 days").waitFor();
    for (const one of [page, other]) {
      await one.getByRole("button", { name: "Allow" }).click();
      await one.getByText("Back in the app").waitFor();
    }
    const handedOver = sent.filter((line) => line.includes("issuer_token"));
    expect(handedOver).toHaveLength(2);
    expect(handedOver.every((line) => line.startsWith(`${platform.url}/oauth/consent `))).toBe(true);

    const refreshTokens = [];
    for (const [at, { client_id }] of [first, second].entries()) {
      const code = answers[at]?.searchParams.get("code") ?? "";
      const exchange = { grant_type: "authorization_code", client_id, code, redirect_uri: CALLBACK };
      const { json } = await token({ ...exchange, code_verifier: VERIFIER, resource: `${platform.url}/mcp` });
      const refreshed = await token({
        grant_type: "refresh_token",
        client_id,
        refresh_token: json.refresh_token,
      });
      expect(refreshed.status).toBe(200);
      refreshTokens.push(refreshed.json.refresh_token);
    }
    issuer.busy.now = true;
    const [refresh_token] = refreshTokens;
    const use = { grant_type: "refresh_token", client_id: first.client_id, refresh_token };
    expect(await token(use)).toMatchObject({ status: 503, json: { error: "temporarily_unavailable" } });
    issuer.busy.now = false;
    expect((await token(use)).status).toBe(200);
    issuer.scopesOf.delete("maria");
    const last = {
      grant_type: "refresh_token",
      client_id: second.client_id,
      refresh_token: refreshTokens[1],
    };
    expect(await token(last)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    expect(faults).toEqual([]);
    await browser.close();
  });
});
