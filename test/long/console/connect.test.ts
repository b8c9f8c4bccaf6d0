import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { accessibilityFaults, closeConsole, overflows } from "../../console/support/open-console.ts";
import { listeningProgram } from "../../support/app-sign-in.ts";
import { closePage } from "../../support/browser.ts";
import { clientOf } from "../../support/client.ts";

const VERIFIER = "the-verifier-of-a-program-on-this-machine-0001";

/** What a client asks for, in an address of the platform. */
const askedAt = (url: string, client_id: string, redirect_uri: string): URLSearchParams =>
  new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri, state: "s-1" },
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    ...{ code_challenge_method: "S256", resource: `${url}/mcp` },
  });

/** Where a page wants to go, whether or not the browser can. */
async function navigationsOf(page: Page): Promise<readonly string[]> {
  const wanted: string[] = [];
  const protocol = await page.context().newCDPSession(page);
  protocol.on("Page.frameRequestedNavigation", ({ url }) => void wanted.push(url));
  await protocol.send("Page.enable");
  return wanted;
}

describeConsole("an app that asks to be let in, in the console", (at) => {
  test("is shown with what it may do, let in by a press, listed, and disconnected", async () => {
    const { platform } = at;
    const { token } = at.asUser("lets-in", ["agents:read", "agents:run", "sessions:read"]);
    const own = await listeningProgram();
    const { json: registered } = await clientOf(platform.url).post("/oauth/register", {
      json: { client_name: "My editor", redirect_uris: ["http://127.0.0.1/callback"] },
    });
    const asked = askedAt(platform.url, registered.client_id, own.redirect_uri);
    const opened = await at.open({ path: "/access", token, width: 390 });
    const { page } = opened;
    await page.getByText("No connected apps").waitFor();
    await page.goto(`${platform.url}/oauth/authorize?${asked}`);
    await page.getByRole("heading", { name: "My editor wants to act for you" }).waitFor();
    await page.getByText("itself: its name is not checked").waitFor();
    await page.getByText(/a program on this computer/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await page.getByText("See sessions").click();
    await page.getByRole("button", { name: "Allow" }).click();
    const answer = await own.answered;
    // The app has its answer before the browser has the app's page.
    await page.waitForURL((url) => url.href.startsWith(own.redirect_uri));
    expect([answer.get("state"), answer.get("iss")]).toEqual(["s-1", platform.url]);
    const { json: tokens } = await clientOf(platform.url).post("/oauth/token", {
      form: {
        ...{ grant_type: "authorization_code", code: answer.get("code") ?? "", code_verifier: VERIFIER },
        ...{
          client_id: registered.client_id,
          redirect_uri: own.redirect_uri,
          resource: `${platform.url}/mcp`,
        },
      },
    });
    expect(tokens.scope).toBe("agents:read agents:run");

    await page.goto(`${platform.url}/console/access`);
    await page.getByText("agents:read, agents:run", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Disconnect My editor" }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Disconnect the app" }).click();
    await page.getByText("No connected apps").waitFor();
    await closeConsole(opened);
    await own.stop();
  });

  test("with a scheme of its own is given its answer there, which no policy of the page forbids", async () => {
    const { platform } = at;
    const { token } = at.asUser("lets-an-editor-in", ["agents:run"]);
    const redirect_uri = "cursor://anysphere.cursor-mcp/oauth/callback";
    const { json } = await clientOf(platform.url).post("/oauth/register", {
      json: { client_name: "Cursor", redirect_uris: [redirect_uri] },
    });
    const { page, faults } = await at.open({ path: "/access", token });
    await page.goto(`${platform.url}/oauth/authorize?${askedAt(platform.url, json.client_id, redirect_uri)}`);
    const wanted = await navigationsOf(page);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("Done. Go on in the app").waitFor();
    await expect.poll(() => wanted).toEqual([expect.stringContaining(`${redirect_uri}?code=`)]);
    await closePage(page);
    // This browser knows no program of that scheme.
    expect(faults.filter((fault) => !fault.includes("registered handler"))).toEqual([]);
  });

  test("with an address that is not its own is shown as faulty, and the browser goes nowhere", async () => {
    const { platform } = at;
    const { token } = at.asUser("is-led-astray", ["agents:run"]);
    const { json } = await clientOf(platform.url).post("/oauth/register", {
      json: { client_name: "Desk", redirect_uris: ["https://desk.example/callback"] },
    });
    const { page } = await at.open({ path: "/access", token });
    const wanted = await navigationsOf(page);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(new URL(request.url()).origin));
    const asked = askedAt(platform.url, json.client_id, "https://evil.example/callback");
    await page.goto(`${platform.url}/oauth/authorize?${asked}`);
    await page.getByText("an address that is not its own").waitFor();
    expect(await page.getByRole("button", { name: /Allow|Go back/ }).count()).toBe(0);
    expect(await page.locator('[href*="evil.example"]').count()).toBe(0);
    expect([new Set(sent), wanted]).toEqual([new Set([platform.url]), []]);
    await closePage(page);
  });
});
