import * as v from "valibot";
import { needsKey, parseModelSpec } from "../../shared/schemas/values/model-spec.ts";
import { misspelledName } from "../../shared/schemas/values/nearest-name.ts";
import { models } from "../../shared/settings/rows/models.ts";
import { StartupError } from "../startup-error.ts";
import { knownVariables } from "./app-context.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable with the key of each provider that does not answer without one. */
const keyOf = { openai: "OPENAI_API_KEY", anthropic: "ANTHROPIC_API_KEY" } as const;

/** What is used where the variable is not set. */
const otherwise = {
  MODEL: "the scripted model",
  JUDGE_MODEL: "the evaluated component's own model",
  EMBEDDER: "this machine's embedder",
} as const;

/**
 * Refuses a model or an embedder that cannot answer: without this, the first run would say so, minutes after the start.
 *
 * @throws StartupError with the name of the variable that is missing
 */
export function requireModelKey(environment: Environment): void {
  const { MODEL = "", JUDGE_MODEL = "", MODEL_API_KEY, MODEL_PROVIDERS, EMBEDDER = "" } = environment;
  // What is malformed is refused where the templates are made, with every other setting.
  const read = v.safeParse(models.modelProviders.form.schema, MODEL_PROVIDERS || "{}");
  const settings = read.success ? read.output : {};
  const own = parseModelSpec(MODEL)?.provider;
  const require = (name: keyof typeof otherwise, variable: string, hasKey: boolean): void => {
    if (environment[variable] || hasKey) return;
    throw new StartupError(
      `${name} is ${environment[name]}, and ${variable} is not set: set it to your key, or leave ${name} out for ${otherwise[name]}.`,
    );
  };
  for (const [name, spec] of [["MODEL", MODEL] as const, ["JUDGE_MODEL", JUDGE_MODEL] as const]) {
    const provider = parseModelSpec(spec)?.provider;
    if (provider === undefined || !needsKey(provider)) continue;
    const hasOwnKey = provider === own && Boolean(MODEL_API_KEY);
    require(name, keyOf[provider], hasOwnKey || settings[provider]?.apiKeySecret !== undefined);
  }
  if (EMBEDDER.startsWith("openai:")) require("EMBEDDER", "EMBEDDER_API_KEY", false);
}

/**
 * Refuses a key of agent cards where the cards would name whichever host a client asks for.
 *
 * @throws StartupError with the name of the variable that is missing
 */
export function requireCardAddress({ A2A_CARD_KEY, PUBLIC_URL }: Environment): void {
  if (!A2A_CARD_KEY || PUBLIC_URL) return;
  throw new StartupError(
    "A2A_CARD_KEY is set, and PUBLIC_URL is not: what a signed card names must be configured, such as http://localhost:7777.",
  );
}

/**
 * Warnings about variables that look like settings and are none. They are not refused: the environment belongs to
 * other programs too.
 *
 * @param others  further names with a meaning: the secrets of tools
 */
export function misspelledVariables(environment: Environment, others: readonly string[] = []): string[] {
  const known = [...knownVariables, ...others];
  return Object.keys(environment).flatMap((name) => {
    const nearest = /^[A-Z0-9_]+$/.test(name) ? misspelledName(name, known) : undefined;
    return nearest === undefined
      ? []
      : [`${name} is no setting and changes nothing; did you mean ${nearest}?`];
  });
}
