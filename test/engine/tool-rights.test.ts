import * as v from "valibot";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import { defineMcpTools, defineTool, type ToolContext } from "../../shared/engine/define/index.ts";
import type { Log } from "../../shared/runtime/log.ts";
import { connectToolSecrets } from "../../shared/runtime/secrets/tool-secrets.ts";
import { anAgent, runAgent } from "./support/run-agent.ts";

const shape = { name: "charge", description: "Charge.", parameters: v.object({}), effect: "safe" } as const;
const rights = (parts: object) => () => defineTool({ ...shape, ...parts, execute: () => "" });

describe("a tool", () => {
  test("gets the secrets that it declares by their names, and no others", () => {
    defineTool({
      ...shape,
      secrets: ["STRIPE_KEY", "MAPS_KEY"],
      execute: (_, context) => {
        expectTypeOf(context.secrets).toEqualTypeOf<Readonly<Record<"STRIPE_KEY" | "MAPS_KEY", string>>>();
        expectTypeOf(context.secrets.STRIPE_KEY).toEqualTypeOf<string>();
        expectTypeOf(context.log).toEqualTypeOf<Log>();
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(context.user_id).toEqualTypeOf<string | null>();
        expectTypeOf(context.run_id).toEqualTypeOf<string>();
        expectTypeOf(context.idempotency_key).toEqualTypeOf<string>();
        // @ts-expect-error  a secret that is not declared
        return context.secrets.OTHER_KEY;
      },
    });
    defineTool({
      ...shape,
      execute: (_, context) => {
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
        // @ts-expect-error  no secret is declared
        return context.secrets.STRIPE_KEY;
      },
    });
    defineMcpTools({
      url: "http://127.0.0.1",
      secrets: ["CRM_KEY"],
      headers: ({ secrets }) => {
        expectTypeOf(secrets).toEqualTypeOf<Readonly<Record<"CRM_KEY", string>>>();
        return { authorization: `Bearer ${secrets.CRM_KEY}` };
      },
    });
  });

  test.each([
    [{ secrets: ["stripe_key"] }, 'the secret "stripe_key" must have a name of capital letters'],
    [{ secrets: ["1_KEY"] }, "begins with a letter"],
    [{ secrets: ["A_KEY", "A_KEY"] }, "declares the secret A_KEY twice"],
    [
      { permissions: [{ actions: ["*"], resources: ["arn:aws:s3:::b/*"] }] },
      'the action "*" must be one action',
    ],
    [
      { permissions: [{ actions: ["s3:*"], resources: ["arn:aws:s3:::b/*"] }] },
      "list the actions one by one",
    ],
    [
      { permissions: [{ actions: ["GetItem"], resources: ["arn:aws:s3:::b/*"] }] },
      "such as dynamodb:GetItem",
    ],
    [
      { permissions: [{ actions: ["dynamodb:GetItem"], resources: ["*"] }] },
      'the resource "*" would allow dynamodb:GetItem on everything in the account',
    ],
    [
      { permissions: [{ actions: ["translate:TranslateText", "s3:GetObject"], resources: ["*"] }] },
      "would allow s3:GetObject on everything",
    ],
    [{ permissions: [{ actions: ["s3:GetObject"], resources: ["my-bucket"] }] }, "must be an ARN"],
    [{ permissions: [{ actions: ["s3:GetObject"], resources: ["arn:aws:s3:::*"] }] }, "must be an ARN"],
    [{ permissions: [{ actions: [], resources: ["arn:aws:s3:::b/*"] }] }, "at least one action"],
  ])("with %j is refused with its name and what to write", (parts, text) => {
    expect(rights(parts)).toThrow(text);
    expect(rights(parts)).toThrow("the tool charge");
  });

  test.each([
    [["dynamodb:GetItem", "dynamodb:Query"], "arn:aws:dynamodb:eu-central-1:123456789012:table/orders"],
    [["s3:GetObject"], "arn:aws:s3:::bucket/prefix/*"],
    [["translate:TranslateText"], "*"],
    [["sts:GetCallerIdentity"], "*"],
  ])("may have %j on %s", (actions, resource) => {
    expect(rights({ permissions: [{ actions, resources: [resource] }] })).not.toThrow();
  });
});

describe("the secrets of tools", () => {
  const minutes = (n: number): number => n * 60_000;
  const setUp = (stored: Record<string, string>) => {
    let nowMs = 0;
    const readSecret = vi.fn(async (id: string) => {
      const text = stored[id];
      if (text === undefined) throw new Error("AccessDeniedException: not authorized");
      return text;
    });
    const secrets = connectToolSecrets(
      {
        TOOL_SECRETS: {
          PLAIN: { secret: "a" },
          MEMBER: { secret: "b", field: "key" },
          GONE: { secret: "c" },
        },
        TOOL_SECRET_VALUES: { HERE: "value from here" },
      },
      { clock: { now: () => nowMs }, readSecret },
    );
    return { secrets, readSecret, later: (ms: number) => (nowMs += ms) };
  };

  test("are read once, by concurrent calls too, and again after five minutes", async () => {
    const stored: Record<string, string> = { a: "first value" };
    const { secrets, readSecret, later } = setUp(stored);
    await Promise.all([secrets.read(["PLAIN"]), secrets.read(["PLAIN"])]);
    stored.a = "second value";
    later(minutes(4));
    expect(await secrets.read(["PLAIN"])).toEqual({ PLAIN: "first value" });
    expect(readSecret).toHaveBeenCalledTimes(1);
    later(minutes(1));
    expect(await secrets.read(["PLAIN"])).toEqual({ PLAIN: "second value" });
    expect(secrets.redact("first value, second value")).toBe("[PLAIN], [PLAIN]");
  });

  test("may be a member of a JSON object, or come from this machine", async () => {
    const { secrets } = setUp({ b: '{"key":"of the member","other":1}' });
    expect(await secrets.read(["MEMBER", "HERE"])).toEqual({
      MEMBER: "of the member",
      HERE: "value from here",
    });
  });

  test.each([
    ["GONE", {}],
    ["MEMBER", { b: "no JSON, but secret" }],
    ["MEMBER", { b: '{"other":"secret"}' }],
    ["UNKNOWN", {}],
  ])("that cannot be read are reported by the name %s alone", async (name, stored) => {
    const { secrets } = setUp(stored);
    const error = await secrets.read([name]).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: `The secret ${name} could not be read.` });
    expect(String((error as Error).cause)).not.toContain("no JSON, but secret");
  });

  test("are replaced in texts however they are written, and nothing else is", async () => {
    const { secrets } = setUp({ a: 'k/"1"+2' });
    await secrets.read(["PLAIN"]);
    const given = {
      list: ['k/"1"+2', encodeURIComponent('k/"1"+2')],
      json: JSON.stringify({ k: 'k/"1"+2' }),
      n: 1,
    };
    expect(secrets.redact(given)).toEqual({ list: ["[PLAIN]", "[PLAIN]"], json: '{"k":"[PLAIN]"}', n: 1 });
    expect(secrets.redact(Buffer.from('k/"1"+2').toString("base64"))).toBe("[PLAIN]");
    expect(secrets.redact(`Basic ${Buffer.from('k/"1"+2:').toString("base64")}`)).toBe("Basic [PLAIN]");
  });

  test("of a tool that fails because of one are no part of what its model reads", async () => {
    const tool = defineTool({ ...shape, secrets: ["GONE"], execute: () => "not reached" });
    const { secrets: toolSecrets } = setUp({});
    const warn = vi.fn();
    const run = await runAgent("[[tool:charge {}]]", {
      agent: anAgent({ tools: [tool] }),
      toolSecrets,
      warn,
    });
    expect(warn).toHaveBeenCalledWith("a secret of a tool could not be read", {
      tool_name: "charge",
      error: expect.objectContaining({ cause: new Error("AccessDeniedException: not authorized") }),
    });
    expect(run.outcome.output.tools?.[0]).toMatchObject({
      tool_call_error: true,
      result: "The secret GONE could not be read.",
    });
  });
});
