import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";
import { UNKNOWN_HOST } from "../../support/unknown-host.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;
const scopes = ["knowledge:read", "knowledge:write", "knowledge:delete", "config:read"];
/** No request carries so much. */
const LARGE_BYTES = 6_000_000;

describeConsole("knowledge, in the console", (at) => {
  const asUser = (sub: string, own: readonly string[] = scopes) => at.asUser(sub, own);

  test("a file is uploaded, found by a search, changed and deleted", async () => {
    const { token, client } = asUser("console-librarian");
    const opened = await at.open({ path: "/knowledge", token });
    const { page } = opened;
    await page.locator("input[type=file]").setInputFiles({
      name: "lighthouse.txt",
      mimeType: "text/plain",
      buffer: Buffer.from(`The lighthouse of Skerryvore was lit in 1844. ${HOSTILE}`),
    });
    const row = page.getByRole("row", { name: /lighthouse\.txt/ });
    await row.getByText("Completed").waitFor();

    await row.getByRole("link").click();
    await page.getByLabel("Name").fill(`lighthouse ${HOSTILE}`);
    await page.getByLabel("Metadata").fill('{"line": "lamps"}');
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("The changes were saved.").waitFor();
    const changed = (await client.listContent()).data.find(({ name }) => name?.startsWith("lighthouse"));
    expect(changed).toMatchObject({ name: `lighthouse ${HOSTILE}`, metadata: { line: "lamps" } });
    await page.getByRole("button", { name: "Close" }).last().click();

    await page.getByRole("tab", { name: "Try a search" }).click();
    await page.getByLabel("Question").fill("Skerryvore lighthouse");
    await page.getByLabel("Metadata is").fill("line = lamps");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.waitForURL(/q=Skerryvore/);
    await page.getByRole("article").getByText("lit in 1844").waitFor();
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
    expect(await page.title()).not.toBe("broken");

    await page.getByRole("article").getByRole("link").click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete the content" }).click();
    await page.getByText(/was deleted\.$/).waitFor();
    expect((await client.listContent()).data.some(({ id }) => id === changed?.id)).toBe(false);
    await closeConsole(opened);
  });

  test("a large file goes to the bucket, as the page's policy and the bucket's rules allow", async () => {
    const { token, client } = asUser("console-large");
    const opened = await at.open({ path: "/knowledge", token });
    const { page } = opened;
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PUT") sent.push(new URL(request.url()).origin);
    });
    const line = "A line about pumps that fill the cistern by night.\n";
    const text = `The cistern holds 4711 litres.\n${line.repeat(Math.ceil(LARGE_BYTES / line.length))}`;
    await page.locator("input[type=file]").setInputFiles({
      name: "large.txt",
      mimeType: "text/plain",
      buffer: Buffer.from(text),
    });
    await page.getByRole("row", { name: /large\.txt/ }).waitFor();
    expect(sent).toHaveLength(1);
    expect(sent[0]).not.toBe(at.platform.url);
    const listed = (await client.listContent()).data.find(({ name }) => name === "large.txt");
    await expect
      .poll(async () => (await client.getContent({ path: { content_id: listed?.id ?? "" } })).size)
      .toBe(String(text.length));
    await closeConsole(opened);
  });

  test("a content that fails shows its error, and is fetched again", async () => {
    const { token } = asUser("console-fails");
    const opened = await at.open({ path: "/knowledge", token });
    const { page } = opened;
    await page.getByRole("button", { name: "Add an address" }).click();
    await page.getByRole("textbox", { name: "Address" }).fill(`http://${UNKNOWN_HOST}/manual.html`);
    await page.getByLabel("Name").fill("unreachable manual");
    await page.getByRole("button", { name: "Add the address" }).click();
    const row = page.getByRole("row", { name: /unreachable manual/ });
    const unknown = `The address cannot be read: there is no host ${UNKNOWN_HOST}.`;
    await row.getByText(unknown).waitFor();
    await row.getByRole("link").click();
    await page.getByRole("alert").getByText(unknown).waitFor();
    await page.getByRole("button", { name: "Fetch it again" }).click();
    await page.getByText(/It is being fetched again/).waitFor();
    await closeConsole(opened);
  });

  test("a text is added, and all that is one's own is deleted after a question", async () => {
    const { token, client } = asUser("console-text");
    const opened = await at.open({ path: "/knowledge", token });
    const { page } = opened;
    await page.getByRole("button", { name: "Add a text" }).click();
    await page.getByRole("textbox", { name: "Text" }).fill("Breakfast is at seven.");
    await page.getByLabel("Name").fill("breakfast");
    await page.getByRole("button", { name: "Add the text" }).click();
    await page.getByRole("row", { name: /breakfast/ }).waitFor();
    await page.getByRole("button", { name: "Delete all" }).click();
    await page.getByRole("button", { name: "Delete all contents that are mine" }).click();
    await page.getByText("The contents were deleted.").waitFor();
    await expect
      .poll(async () => (await client.listContent()).data.map(({ name }) => name))
      .not.toContain("breakfast");
    await closeConsole(opened);
  });
});
