import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { accessibilityFaults, closeConsole } from "../../console/support/open-console.ts";
import { closePage } from "../../support/browser.ts";
import { test } from "../../support/shared-platform.ts";

const scopes = ["agents", "teams", "workflows"].flatMap((kind) => [`${kind}:read`, `${kind}:run`]);

describeConsole("what a paused run waits for, in the console", (at) => {
  const asUser = (sub: string) => at.asUser(sub, [...scopes, "sessions:read"]);
  const runPath = (
    kind: string,
    { run_id, session_id }: { run_id: string; session_id: string },
    id: string,
  ) => `/runs/${kind}/${id}/${encodeURIComponent(session_id)}/${run_id}`;

  test("fields, questions and results of calls are entered on the run's page", async () => {
    const { token, client } = asUser("pauses-fields");
    const path = { agent_id: "front-desk" };
    const questions = [
      { question: "Which day?", header: "Day", options: [{ label: "Monday" }, { label: "Friday" }] },
      {
        question: "Which extras?",
        header: "Extras",
        multi_select: true,
        options: [{ label: "Wine" }, { label: "Dessert" }, { label: "Coffee" }],
      },
    ];
    const message = [
      `[[tool:book_table {"restaurant":"Olivo"}]]`,
      `[[tool:ask_user ${JSON.stringify({ questions })}]]`,
      `[[tool:read_device_file {"path":"/notes.txt"}]]`,
    ].join("\n");
    const run = await client.createAgentRun({ path, body: { message, stream: false } });
    const opened = await at.open({ path: runPath("agent", run, "front-desk"), token });
    const { page } = opened;
    const goOn = page.getByRole("button", { name: "Continue the run" });
    const read = () =>
      client.getAgentRun({ path: { ...path, run_id: run.run_id }, query: { session_id: run.session_id } });
    await page.getByRole("heading", { name: /This run waits for/ }).waitFor();
    await goOn.click();
    await expect.poll(() => page.getByText("This field is required.").count()).toBe(2);
    await page.getByLabel("Guests").fill("4");
    await page.getByLabel("Time").fill("19:30");
    await goOn.click();
    await page.locator("label", { hasText: "Friday" }).click();
    await page.locator("label", { hasText: "Wine" }).click();
    await page.locator("label", { hasText: "Coffee" }).click();
    await goOn.click();
    await page.getByLabel("Result of read_device_file").fill("the notes");
    await goOn.click();
    await expect.poll(async () => (await read()).status).toBe("COMPLETED");
    const results = ((await read()).tools ?? []).map(({ result }) => result ?? "");
    expect(results).toEqual([
      "Booked Olivo for 4 at 19:30.",
      expect.stringContaining('["Wine","Coffee"]'),
      "the notes",
    ]);
    expect(results[1]).toContain('["Friday"]');
    await closeConsole(opened);
  });

  test("a call that needs an approval is not confirmed by who runs it, and goes on when it was approved", async () => {
    const { token, client } = asUser("pauses-approval");
    const admin = at.admin;
    const opened = await at.open({ path: "/playground/agent/account-desk", token });
    const { page } = opened;
    await page.getByRole("textbox", { name: /^Message to/ }).fill(`[[tool:close_account {"account":"K-7"}]]`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("An approver decides about this.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await page.getByRole("button", { name: "Continue the run" }).click();
    await page
      .getByRole("alert")
      .getByText(/approval/)
      .waitFor();
    await page.waitForURL(/account-desk\/[\w-]+$/);
    const session_id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const path = { agent_id: "account-desk" };
    const [run] = await client.listAgentRuns({ path, query: { session_id } });
    const { data } = await admin.listApprovals({ query: { run_id: run?.run_id ?? "" } });
    await admin.resolveApproval({ path: { approval_id: data[0]?.id ?? "" }, body: { status: "approved" } });
    await page.getByRole("button", { name: "Continue the run" }).click();
    await page.getByText("Account K-7 is closed.").first().waitFor();
    await closePage(page);

    const seen = await at.open({ path: `/playground/agent/account-desk` });
    const own = seen.page.getByRole("textbox", { name: /^Message to/ });
    await own.fill(`[[tool:close_account {"account":"K-8"}]]`);
    await seen.page.getByRole("button", { name: "Send", exact: true }).click();
    const link = seen.page.getByRole("link", { name: "Open the approval" });
    await expect.poll(() => link.getAttribute("href")).toMatch(/\/approvals\?run=[\w-]+$/);
    await closeConsole(seen);
  });

  test("a call of a team's member is rejected with a note", async () => {
    const { token, client } = asUser("pauses-member");
    const path = { team_id: "support-team" };
    const task = `[[tool:issue_refund {"order_id":"A-9","amount":3}]]`;
    const call = JSON.stringify({ member_id: "refund-desk", task });
    const message = `[[tool:delegate_task_to_member ${call}]]`;
    const run = await client.createTeamRun({ path, body: { message, background: true } });
    const address = { path: { ...path, run_id: run.run_id }, query: { session_id: run.session_id } };
    await expect.poll(async () => (await client.getTeamRun(address)).status).toBe("PAUSED");
    const opened = await at.open({
      path: runPath("team", run, "support-team"),
      token,
    });
    const { page } = opened;
    await page.getByLabel("Note (optional)").fill("not this month");
    await page.getByRole("button", { name: "Reject" }).click();
    await expect.poll(async () => (await client.getTeamRun(address)).status).toBe("COMPLETED");
    const { member_responses = [] } = await client.getTeamRun(address);
    expect(member_responses[0]?.tools?.[0]).toMatchObject({
      confirmed: false,
      confirmation_note: "not this month",
    });
    await page.getByText("Completed").first().waitFor();
    await closeConsole(opened);
  });

  test("every question of a workflow is answered in place, one after the other", async () => {
    const { token, client } = asUser("pauses-workflow");
    const admin = at.admin;
    const component_id = "every-question";
    const outline = (name: string) => ({ type: "Step", name, executor_ref: "outline" });
    await admin.createComponent({
      body: {
        component_id,
        component_type: "workflow",
        name: "Every question",
        stage: "published",
        config: {
          steps: [
            { type: "Step", name: "pay", agent_id: "refund-desk" },
            {
              ...outline("brief"),
              human_review: {
                requires_user_input: true,
                user_input_message: "How should it be?",
                user_input_schema: [
                  { name: "pages", field_type: "int" },
                  { name: "tone", field_type: "str", allowed_values: ["calm", "loud"] },
                  { name: "urgent", field_type: "bool" },
                  { name: "extra", field_type: "dict", required: false },
                ],
              },
            },
            {
              ...outline("draft"),
              human_review: {
                requires_output_review: true,
                output_review_message: "Good?",
                on_reject: "retry",
              },
            },
            { type: "Step", name: "check", agent_id: "assistant", human_review: { on_error: "pause" } },
            {
              type: "Router",
              name: "where",
              choices: [outline("web"), outline("print")],
              human_review: {},
            },
            { ...outline("publish"), human_review: { requires_confirmation: true, on_reject: "cancel" } },
          ],
        },
      },
    });
    const opened = await at.open({
      path: `/playground/workflow/${component_id}`,
      token,
    });
    const { page } = opened;
    const form = page.getByRole("region", { name: "What the run waits for" });
    const goOn = form.getByRole("button", { name: "Continue the run" });
    await page
      .getByRole("textbox", { name: /^Message to/ })
      .fill(`[[tool:issue_refund {"order_id":"A-1","amount":2}]]`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await form.getByText("issue_refund").first().waitFor();
    await form.getByRole("button", { name: "Approve" }).click();

    await form.getByText("How should it be?").waitFor();
    await form.getByLabel("Pages").fill("12");
    await form.getByRole("button", { name: /Tone/ }).click();
    await page.getByRole("option", { name: "calm" }).click();
    await form.getByRole("button", { name: /Urgent/ }).click();
    await page.getByRole("option", { name: "Yes" }).click();
    await form.getByLabel("Extra (optional)").fill("[1]");
    await goOn.click();
    await form.getByText(/Enter an object as JSON/).waitFor();
    await form.getByLabel("Extra (optional)").fill('{"a":1}');
    expect(await accessibilityFaults(page)).toEqual([]);
    await goOn.click();

    await form.getByText("Good?").waitFor();
    await form.getByRole("button", { name: "Change the output" }).click();
    await form.getByLabel("Output with which the workflow continues").fill("[[fail:it is wrong]]");
    await form.getByRole("button", { name: "Approve" }).click();

    await form.getByText("check failed").waitFor();
    await form.getByText("it is wrong").waitFor();
    await form.getByRole("button", { name: "Continue without it" }).click();

    await form.locator("label", { hasText: "print" }).click();
    await goOn.click();

    await form.getByText("If it is rejected, the workflow ends.").waitFor();
    await form.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("link", { name: "Details" }).waitFor();
    await form.waitFor({ state: "detached" });
    const session_id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const runs = () =>
      client.listWorkflowRuns({ path: { workflow_id: component_id }, query: { session_id } });
    await expect.poll(async () => (await runs())[0]?.status).toBe("COMPLETED");
    const [run] = await runs();
    if (!run || !("step_results" in run)) throw new Error("there is no run");
    expect(run.step_results.map(({ step_name }) => step_name)).toContain("print");
    const full = await client.getWorkflowRun({
      path: { workflow_id: component_id, run_id: run.run_id },
      query: { session_id },
    });
    const brief = full.step_requirements?.find(({ step_id }) => step_id === "brief");
    expect(brief?.user_input).toEqual({ pages: 12, tone: "calm", urgent: true, extra: { a: 1 } });
    await closeConsole(opened);
  });
});
