import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { createClient } from "../../client/index.ts";
import { converse } from "../../package/cli/terminal/converse.ts";
import { promptText } from "../../package/cli/terminal/prompt-text.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

/** Talks with an agent; the person at the terminal enters these lines. */
async function talk(agent_id: string, message: string, entered: readonly string[] = []) {
  const lines = [...entered];
  let written = "";
  const terminal = {
    write: (text: string) => {
      written += text;
    },
    ask: async (question: string) => {
      written += question;
      return lines.shift();
    },
    close: () => {},
  };
  const token = platform.token("terminal user", ["agents:read", "agents:run", "sessions:read"]);
  const client = createClient({ baseUrl: platform.url, token });
  const output = await converse(client, { agent_id }, { message, session_id: randomUUID() }, terminal);
  return { output, written, left: lines };
}

const refund = '[[tool:issue_refund {"order_id":"A1","amount":5}]]';

describe("in the terminal", () => {
  test("an answer is written, with the tools that it took, and what the model was asked with can be shown", async () => {
    const { output, written } = await talk("assistant", '[[tool:add_numbers {"a":2,"b":3}]]');
    expect(output.status).toBe("COMPLETED");
    expect(written).toContain('[add_numbers {"a":2,"b":3}]');
    expect(written).toMatch(/5\s*$/);
    const prompt = promptText("messages" in output ? (output.messages ?? []) : []);
    expect(prompt).toMatch(/^--- system ---\n/);
    expect(prompt).toContain('--- user ---\n[[tool:add_numbers {"a":2,"b":3}]]');
    expect(prompt).toContain("--- tool add_numbers ---\n5");
  });

  test("a call that has to be confirmed is asked about, until there is an answer", async () => {
    const { output, written, left } = await talk("refund-desk", refund, ["perhaps", "y"]);
    expect([output.status, left]).toEqual(["COMPLETED", []]);
    expect(written).toContain('issue_refund {"order_id":"A1","amount":5} Allow it? (y/n) ');
    expect(JSON.stringify(output)).toContain("Refunded 5 for order A1.");
    const refused = await talk("refund-desk", refund, ["n"]);
    expect(JSON.stringify(refused.output)).not.toContain("Refunded 5");
  });

  test("without anybody there the run stays paused", async () => {
    expect((await talk("refund-desk", refund)).output.status).toBe("PAUSED");
  });
});
