import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import { closeConsole, openConsole } from "../../console/support/open-console.ts";
import { startStoryModel } from "../../console/support/story-model.ts";
import { hasBrowser, startBrowser } from "../../support/browser.ts";
import { startPlatform } from "../../support/platform.ts";

const file = join(import.meta.dirname, "../../../docs/console.png");
const MOST_BYTES = 150_000;
const COMPLAINT = "Order A-1001 arrived with a broken cup. Could I have 12.50 back?";

describe.skipIf(!hasBrowser)("the picture in the README", () => {
  test("is of a run as the console shows it; UPDATE_PICTURE=1 makes it anew", async () => {
    const model = await startStoryModel();
    const platform = await startPlatform({ env: { ...model.env, TRACING: "on" } });
    const browser = await startBrowser();
    try {
      const token = platform.token("maria", ["agents:read", "agents:run", "sessions:read", "traces:read"]);
      const client = createClient({ baseUrl: platform.url, token });
      const path = { agent_id: "refund-desk" };
      const paused = await client.createAgentRun({ path, body: { message: COMPLAINT, stream: false } });
      const { run_id, session_id } = paused;
      const [asked] = ("tools" in paused && paused.tools) || [];
      expect(asked).toMatchObject({ tool_name: "issue_refund", requires_confirmation: true });
      const done = await client.continueAgentRun({
        path: { ...path, run_id },
        body: {
          session_id,
          stream: false,
          tools: [
            { tool_call_id: asked?.tool_call_id ?? "", confirmed: true, confirmation_note: "Photo seen" },
          ],
        },
      });
      expect(done.status).toBe("COMPLETED");
      const opened = await openConsole(browser, platform, {
        path: `/runs/agent/refund-desk/${session_id}/${run_id}`,
        width: 1280,
        height: 800,
      });
      const { page } = opened;
      await page.getByText("has been refunded").first().waitFor();
      await page
        .getByRole("button", { name: /issue_refund/ })
        .first()
        .waitFor();
      await page.locator(".span-row", { hasText: "issue_refund" }).first().click();
      await page.mouse.move(0, 0);
      const picture = await page.screenshot();
      expect(picture.length).toBeLessThan(MOST_BYTES);
      if (process.env.UPDATE_PICTURE === "1") await writeFile(file, picture);
      await closeConsole(opened);
    } finally {
      await browser.close();
      await platform.stop();
      await model.stop();
    }
    expect((await stat(file)).size).toBeLessThan(MOST_BYTES);
    expect(await readFile(join(file, "../../README.md"), "utf8")).toContain("docs/console.png");
  });
});
