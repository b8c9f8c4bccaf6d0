import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { closePage } from "../../support/browser.ts";
import { test } from "../../support/shared-platform.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;
const reading = ["components:read", "agents:read", "teams:read", "workflows:read", "registry:read"];
const scopes = [
  ...reading,
  "components:write",
  "components:delete",
  "agents:run",
  "teams:run",
  "workflows:run",
];

describeConsole("components, in the console", (at) => {
  const asUser = (sub: string, held: readonly string[] = scopes) => at.asUser(sub, held);

  test("a skill is created in the open format", async () => {
    const { token, client } = asUser("skills-author", [...scopes, "skills:read"]);
    const opened = await at.open({ path: "/components", token });
    const { page } = opened;
    await page.getByRole("button", { name: "New component" }).click();
    const form = page.getByRole("dialog", { name: "New component" });
    await form.getByRole("button", { name: /Kind/ }).click();
    await page.getByRole("option", { name: /Skill/ }).click();
    await form.getByLabel("Name", { exact: true }).fill("Goods: coming back");
    await form.getByLabel("Instructions").fill("Ask for the receipt.");
    const publish = form.getByRole("button", { name: "Create and publish" });
    await expect.poll(() => publish.isDisabled()).toBe(true);
    await form.getByLabel("When it is needed").fill('Whoever brings "goods" back.');
    await publish.click();
    await page.getByRole("heading", { name: "Goods: coming back", level: 1 }).waitFor();
    await page.getByText("Live: version 1").waitFor();
    const skills = await client.listSkills();
    expect(skills.find(({ name }) => name === "goods-coming-back")).toMatchObject({
      description: 'Whoever brings "goods" back.',
    });
    await closeConsole(opened);
  });

  test("one is created, gets a second version, and is rolled back", async () => {
    const { token, client } = asUser("components-author");
    const path = { component_id: "console-adder" };
    const opened = await at.open({ path: "/components", token });
    const { page } = opened;
    await page.getByRole("button", { name: "New component" }).click();
    const form = page.getByRole("dialog", { name: "New component" });
    await form.getByLabel("Name", { exact: true }).fill("Console adder");
    await form.getByLabel("Id (optional)").fill("console-adder");
    await form.getByLabel("Instructions").fill("Answer briefly.");
    await form.getByText("add_numbers").click();
    await form.getByRole("button", { name: "Create and publish" }).click();
    await page.getByRole("heading", { name: "Console adder", level: 1 }).waitFor();
    await page.getByText("Live: version 1").waitFor();
    expect(await client.getConfigVersion({ path: { ...path, version: 1 } })).toMatchObject({
      stage: "published",
      config: { instructions: "Answer briefly.", tools: [{ name: "add_numbers" }] },
    });

    await page.getByRole("button", { name: "New version" }).click();
    await page.getByRole("heading", { name: "New version of Console adder", level: 1 }).waitFor();
    const editor = page.getByRole("main");
    await editor.getByRole("tab", { name: "JSON" }).click();
    const config = editor.getByLabel("Config (JSON)");
    await config.fill('{ "instructions": ');
    await editor.getByText(/This is not JSON/).waitFor();
    await expect.poll(() => editor.getByRole("button", { name: "Store as a draft" }).isDisabled()).toBe(true);
    await config.fill('{ "instructions": "Answer at length.", "tools": [{ "name": "no_such_tool" }] }');
    await editor.getByText("No tool “no_such_tool” is registered.").waitFor();
    await config.fill('{ "instructions": "Answer at length.", "markdown": true }');
    await editor
      .getByText(/Differs from version 1 in add_history_to_context, instructions, markdown, tools/)
      .waitFor();
    await editor.getByLabel("Notes (optional)").fill("Longer answers");
    await editor.getByRole("button", { name: "Store as a draft" }).click();
    await page.getByRole("heading", { name: "Draft 2 of Console adder", level: 1 }).waitFor();
    await editor.getByRole("button", { name: "Close" }).click();
    await page.getByText("Draft 2 is newer than the live version 1.").waitFor();
    expect((await client.getComponent({ path })).current_version).toBe(1);

    await page.getByRole("tab", { name: /Versions/ }).click();
    await page.getByRole("cell", { name: "Longer answers", exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("button", { name: "Publish it" }).click();
    await page.getByText("Live: version 2").waitFor();
    expect((await client.getComponent({ path })).current_version).toBe(2);

    await page.getByRole("tab", { name: "Changes" }).click();
    const lines = page.getByRole("region", { name: "Lines that differ" });
    await lines.getByText('"instructions": "Answer briefly."').waitFor();
    await lines.getByText('"instructions": "Answer at length."').waitFor();
    await page.getByText("4 fields differ").waitFor();
    await page.getByRole("tab", { name: /Versions/ }).click();
    await page.getByRole("button", { name: "Roll back to it" }).click();
    await page.getByRole("button", { name: "Make version 1 live" }).click();
    await page.getByText("Live: version 1").waitFor();
    expect((await client.getComponent({ path })).current_version).toBe(1);
    await closeConsole(opened);
  });

  test("a version that cannot run says why, and which settings have no effect", async () => {
    const { token, client } = asUser("components-checker");
    const path = { component_id: "console-broken" };
    await client.createComponent({
      body: {
        ...path,
        name: "Broken",
        component_type: "agent",
        config: { tools: ["no_such_tool"], reasoning: true },
      },
    });
    const opened = await at.open({ path: "/components/console-broken", token });
    const { page } = opened;
    await page.getByText("tool no_such_tool is not registered").waitFor();
    await page.getByText("reasoning is ignored").waitFor();
    await page.getByRole("tab", { name: /Versions/ }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const second = page.getByRole("dialog", { name: "Publish version 1?" });
    await second.getByText("tool no_such_tool is not registered").waitFor();
    await expect.poll(() => second.getByRole("button", { name: "Publish it" }).isDisabled()).toBe(true);
    await closeConsole(opened);
  });

  test("a draft is written in a form, tried beside the live version unsaved, and goes live in a second step", async () => {
    const { token, client } = asUser("components-editor");
    const path = { component_id: "console-edited" };
    await client.createComponent({
      body: {
        ...path,
        name: "Edited",
        component_type: "agent",
        stage: "published",
        config: { instructions: "Serve {city}.", tools: ["add_numbers"], dependencies: { city: "Oslo" } },
      },
    });
    const opened = await at.open({ path: "/components/console-edited?form=new", token });
    const { page } = opened;
    await page.getByText("from dependencies").waitFor();
    const instructions = page.getByLabel("Instructions");
    await instructions.and(page.locator(":focus")).waitFor();
    await instructions.fill("Serve {city} as a draft, {name}.");
    await page.getByText("stays as it is unless a run brings it").waitFor();
    await page.getByText("get_time").click();

    await page.getByLabel("Message to both").fill("[[tool:get_time {}]]");
    const temperature = page.getByLabel("Temperature of the draft");
    await temperature.fill("3");
    await page.getByText("0 to 2", { exact: true }).waitFor();
    await temperature.fill("0.2");
    const asked = page.waitForRequest((request) => (request.postData() ?? "").includes("draft_config"));
    await page.getByRole("button", { name: "Send" }).click();
    expect(decodeURIComponent((await asked).postData() ?? "")).toMatch(/"temperature":0\.2\b/);
    const draft = page.getByRole("region", { name: "Draft", exact: true });
    await draft.getByText("get_time").first().waitFor();
    await draft.getByRole("link", { name: "Details" }).waitFor();
    await page
      .getByRole("region", { name: "Live", exact: true })
      .getByRole("link", { name: "Details" })
      .waitFor();
    const query = { component_id: "console-edited" };
    const tried = (await client.listRuns({ query })).data.filter(
      (run) => run.component_version === undefined,
    );
    expect(tried).toHaveLength(1);
    expect(await client.listConfigVersions({ path, query: {} })).toHaveLength(1);

    await page.getByRole("button", { name: "Store as a draft" }).click();
    await page.getByRole("heading", { name: "Draft 2 of Edited", level: 1 }).waitFor();
    // What was tried is still beside it.
    await draft.getByRole("link", { name: "Details" }).waitFor();
    await page.getByRole("button", { name: "Go live…" }).click();
    const second = page.getByRole("dialog", { name: "Publish version 2?" });
    await second.getByText("2 fields differ").waitFor();
    await second.getByText("nothing stands in its way").waitFor();
    await second.getByRole("button", { name: "Publish it" }).click();
    await page.getByText("Live: version 2").waitFor();
    expect(await client.getConfigVersion({ path: { ...path, version: 2 } })).toMatchObject({
      config: {
        instructions: "Serve {city} as a draft, {name}.",
        tools: ["add_numbers", { name: "get_time" }],
      },
    });
    await closeConsole(opened);
  });

  test("a form sets model, tools, knowledge and skills, and another model is tried without being stored", async () => {
    const { token, client } = asUser("components-former", [...scopes, "skills:read"]);
    const path = { component_id: "console-formed" };
    await client.createComponent({
      body: { ...path, name: "Formed", component_type: "agent", stage: "published", config: {} },
    });
    const text = "---\nname: greeting\ndescription: Whoever says hello.\n---\nSay hello.\n";
    const skill = { name: "greeting", files: { "SKILL.md": text } };
    const { component_id: skill_id } = await client.createComponent({
      body: { name: "How to greet", component_type: "skill", stage: "published", config: skill },
    });
    const opened = await at.open({ path: "/components/console-formed?form=new", token });
    const { page } = opened;
    const choose = async (label: RegExp, option: string) => {
      await page.getByRole("button", { name: label }).click();
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    await page.getByText("get_time").click();
    await choose(/Knowledge base$/, "handbook");
    await choose(/Model of the draft$/, "Scripted scripted-1");
    await page.getByLabel("Message to both").fill("hello");
    const asked = page.waitForRequest((request) => (request.postData() ?? "").includes("draft_config"));
    await page.getByRole("button", { name: "Send" }).click();
    const model = { provider: "Scripted", id: "scripted-1" };
    expect(decodeURIComponent((await asked).postData() ?? "")).toContain(`"model":${JSON.stringify(model)}`);
    for (const name of ["Draft", "Live"]) {
      const side = page.getByRole("region", { name, exact: true });
      await side.getByRole("link", { name: "Details" }).waitFor();
    }
    // After the trial: this deployment has no skill of that name, so the draft could not run.
    await page.getByRole("combobox", { name: "Add a stored skill" }).fill("greet");
    await page.getByRole("option", { name: /^How to greet/ }).click();
    await page.getByText("a stored skill", { exact: true }).waitFor();
    await page.getByLabel("Name of a registered skill").fill("refunds");
    await page.getByRole("button", { name: "Add the skill" }).click();
    await page.getByText("registered in code").waitFor();
    await choose(/ Model$/, "Scripted scripted-1");
    await page.getByRole("button", { name: "Store as a draft" }).click();
    await page.getByRole("heading", { name: "Draft 2 of Formed", level: 1 }).waitFor();
    expect(await client.getConfigVersion({ path: { ...path, version: 2 } })).toMatchObject({
      config: {
        model,
        tools: [{ name: "get_time" }],
        knowledge: { name: "handbook" },
        skills: [{ skill_id }, "refunds"],
      },
    });
    await closeConsole(opened);
  });

  test("going live shows what differs, and waits for the evaluation that its gate asks for", async () => {
    const { token, client } = asUser("components-gate", [...scopes, "evals:read", "evals:write"]);
    const path = { component_id: "console-gated" };
    await client.createComponent({
      body: { ...path, name: "Gated", component_type: "agent", stage: "published", config: {} },
    });
    const config = { require_eval: true, instructions: "Be kind." };
    await client.createConfigVersion({ path, body: { config } });
    const opened = await at.open({ path: "/components/console-gated?form=edit&base=2", token });
    const { page } = opened;
    const second = page.getByRole("dialog", { name: "Publish version 2?" });
    const publish = second.getByRole("button", { name: "Publish it" });
    await page.getByRole("button", { name: "Go live…" }).click();
    await second.getByText("2 fields differ").waitFor();
    await second.getByText("It may not go live yet").waitFor();
    await second.getByText(/version 2 needs an evaluation/).waitFor();
    await expect.poll(() => second.getByText("It cannot run").count()).toBe(0);
    await expect.poll(() => publish.isDisabled()).toBe(true);
    await second.getByRole("link", { name: "Evaluate it" }).click();
    await page.waitForURL(/evaluations\?form=new&target=agent%3Aconsole-gated&version=2/);
    const evaluated = { agent_id: "console-gated", version: 2, input: "hello" };
    const passes = {
      eval_type: "accuracy",
      expected_output: '[[answer:{"score":9,"reason":"so"}]]',
    } as const;
    await client.createEval({ body: { ...evaluated, ...passes } });
    await page.goto(`${at.platform.url}/console/components/console-gated?form=edit&base=2`);
    await page.getByRole("button", { name: "Go live…" }).click();
    await second.getByText("nothing stands in its way").waitFor();
    await publish.click();
    await page.getByText("Live: version 2").waitFor();
    expect((await client.getComponent({ path })).current_version).toBe(2);
    await closeConsole(opened);
  });

  test("a version that another user made live meanwhile is not overwritten unseen", async () => {
    const { token, client } = asUser("components-racer");
    const path = { component_id: "console-raced" };
    await client.createComponent({
      body: { ...path, name: "Raced", component_type: "agent", stage: "published", config: {} },
    });
    await client.createConfigVersion({ path, body: { stage: "published", config: { markdown: true } } });
    const opened = await at.open({
      path: "/components/console-raced?tab=versions",
      token,
    });
    const { page } = opened;
    await page.getByRole("button", { name: "Roll back to it" }).click();
    await client.createConfigVersion({ path, body: { stage: "published", config: { markdown: false } } });
    await page.getByRole("button", { name: "Make version 1 live" }).click();
    await page.locator(".message-bad").waitFor();
    expect((await client.getComponent({ path })).current_version).toBe(3);
    await closePage(page);
    expect(opened.faults.filter((fault) => !/status of 409/.test(fault))).toEqual([]);
  });

  test("one is renamed, archived and restored", async () => {
    const { token, client } = asUser("components-keeper");
    const path = { component_id: "console-kept" };
    await client.createComponent({
      body: { ...path, name: "Kept", component_type: "agent", stage: "published", config: {} },
    });
    const opened = await at.open({ path: "/components/console-kept", token });
    const { page } = opened;
    const choose = async (name: string) => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await choose("Rename");
    await page.getByLabel("Name", { exact: true }).fill("Kept well");
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("heading", { name: "Kept well", level: 1 }).waitFor();
    expect((await client.getComponent({ path })).name).toBe("Kept well");
    await choose("Archive");
    await page.getByRole("button", { name: "Archive it" }).click();
    await page.getByRole("button", { name: "Restore" }).waitFor();
    await expect(client.getComponent({ path })).rejects.toMatchObject({ status: 404 });
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByText("Live: version 1").waitFor();
    expect((await client.getComponent({ path })).current_version).toBe(1);
    await closePage(page);
    // A look that is under way while it is archived finds it gone.
    expect(opened.faults.filter((fault) => !/status of 404/.test(fault))).toEqual([]);
  });

  test("a team and a workflow are put together from what there is", async () => {
    const { token, client } = asUser("components-builder");
    const opened = await at.open({ path: "/components?form=new", token });
    const { page } = opened;
    const form = page.getByRole("dialog", { name: "New component" });
    await form.getByRole("button", { name: /Kind/ }).click();
    await page.getByRole("option", { name: "Workflow" }).click();
    await form.getByLabel("Name", { exact: true }).fill("Console flow");
    for (const name of ["Assistant", "Refund desk"]) {
      await form.getByRole("combobox", { name: "Add a step that runs" }).fill(name);
      await page.getByRole("option", { name }).click();
    }
    await form.getByRole("button", { name: "Store as a draft" }).click();
    await page.getByRole("heading", { name: "Console flow", level: 1 }).waitFor();
    // The at.platform makes ids of a user's own: this one begins as the name does.
    const component_id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    expect(component_id).toMatch(/^console-flow/);
    expect(await client.getConfigVersion({ path: { component_id, version: 1 } })).toMatchObject({
      stage: "draft",
      config: {
        steps: [
          { type: "Step", name: "assistant", agent_id: "assistant" },
          { type: "Step", name: "refund-desk", agent_id: "refund-desk" },
        ],
      },
    });
    await page.getByRole("link", { name: "refund-desk" }).waitFor();
    await closeConsole(opened);
  });

  test("what code declares is shown and cannot be changed, and names are text", async () => {
    const { token, client } = asUser("components-reader");
    await client.createComponent({
      body: {
        component_id: "console-hostile",
        name: HOSTILE,
        description: HOSTILE,
        component_type: "agent",
        stage: "published",
        config: { instructions: [HOSTILE, HOSTILE] },
      },
    });
    const opened = await at.open({ path: "/components?origin=code", token });
    const { page } = opened;
    await page.getByRole("link", { name: /Refund desk/ }).click();
    await page.getByText("It is declared in the code of this deployment").waitFor();
    await page.getByText("asks a person first").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "New version" }).count()).toBe(0);
    await expect.poll(() => page.getByRole("tab", { name: /Versions/ }).count()).toBe(0);
    await page.goto(`${at.platform.url}/console/components?origin=stored`);
    await page
      .getByRole("link", { name: /img src=x/ })
      .first()
      .click();
    await page.getByText("Live: version 1").waitFor();
    await page.getByText("The config as JSON").click();
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
    expect(await page.title()).toContain("<img src=x");
    await closeConsole(opened);
  });
});
