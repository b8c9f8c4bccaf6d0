import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { authorizerEnv } from "../../shared/settings/authorizer-environment.ts";
import * as environments from "../../shared/settings/environments.ts";
import { receivers } from "../../shared/settings/rows/receivers.ts";
import { defaultOn, type Setting, variablesOf } from "../../shared/settings/setting.ts";
import { type GivenSettings, settingNames, settings } from "../../shared/settings/table.ts";

const rows: readonly (readonly [string, Setting])[] = settingNames.map((name) => [name, settings[name]]);
const variables = rows.flatMap(([, { variable }]) => variable ?? []);
const read = new Set(
  Object.values({ ...environments, authorizerEnv }).flatMap(({ entries }) => Object.keys(entries)),
);

describe("the table of settings", () => {
  test("has a variable once", () => {
    expect(variables).toEqual([...new Set(variables)]);
  });

  test.each(["local", "dev", "prod"])("has defaults on %s that are values of their forms", (stage) => {
    const refused = rows.filter(([, setting]) => {
      const text = defaultOn(setting, stage);
      return text !== undefined && !v.is(setting.form.schema, text);
    });
    expect(refused.map(([name]) => name)).toEqual([]);
  });

  test("has what a function takes for an absent variable as a value of the form too", () => {
    const refused = rows.filter(([, { form, unset }]) => unset !== undefined && !v.is(form.schema, unset));
    expect(refused.map(([name]) => name)).toEqual([]);
  });

  test("has no variable that neither a function reads nor `npm start`", () => {
    const idle = rows.filter(
      ([, { variable, local }]) => variable !== undefined && local === false && !read.has(variable),
    );
    expect(idle.map(([name]) => name)).toEqual([]);
  });

  test("takes structured values as they are and as text", () => {
    const { given, schema } = settings.knowledgeBases.form;
    const bases = [{ name: "manuals" }];
    const whole = v.pipe(given, schema);
    expect(v.parse(whole, bases)).toEqual(v.parse(whole, JSON.stringify(bases)));
    expect(v.parse(whole, bases)).toMatchObject([{ name: "manuals", max_results: 10 }]);
  });
});

describe("types follow from the rows", () => {
  test("of what a function reads", () => {
    const schema = v.object(variablesOf(receivers, "callbackUrl", "fetchAllowedHosts"));
    const env: { CALLBACK_URL?: string | undefined; FETCH_ALLOWED_HOSTS: readonly string[] } = v.parse(
      schema,
      {
        FETCH_ALLOWED_HOSTS: "Files.test:80, hooks.test",
      },
    );
    expect(env).toEqual({ FETCH_ALLOWED_HOSTS: ["files.test:80", "hooks.test"] });
    // @ts-expect-error: no row has this name
    expect(() => variablesOf(receivers, "callbackUrls")).toThrow();
  });

  test("of what an operator writes", () => {
    const right: GivenSettings = {
      max_attempts: 3,
      a2a: true,
      tracing: "on",
      jwtIssuers: [{ jwks_uri: "https://id.example/keys", audience: "agents" }],
      modelPrices: { "openai:gpt-5": { input_per_million: 1, output_per_million: 10 } },
    };
    expect(Object.keys(right).every((name) => name in settings)).toBe(true);
    // @ts-expect-error: a misspelled name
    const misspelled: GivenSettings = { maxAttempts: 3 };
    // @ts-expect-error: a value that is none of the choices
    const other: GivenSettings = { tracing: "yes" };
    // @ts-expect-error: a misspelled member of a structured value
    const inner: GivenSettings = { knowledgeBases: [{ nam: "manuals" }] };
    expect([misspelled, other, inner]).toHaveLength(3);
  });
});
