import { parseArgs } from "node:util";
import { openIdentity } from "../local/identity.ts";

/** Prints a token of the local identity provider, and nothing else. */
const usage = 'npm run --silent token -- --sub maria --scopes "agents:run agents:read" [--hours 12]';

function fail(message: string): never {
  console.error(`${message}\nUse: ${usage}`);
  process.exit(1);
}

function options(): { sub: string; scopes: string[]; hours: number } {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({ options: { sub: text, scopes: text, hours: { ...text, default: "12" } } });
    const hours = Number(values.hours);
    if (!values.sub) fail("--sub is missing: whom is the token for?");
    if (!(hours > 0)) fail(`--hours is "${values.hours}"; it must be a number above 0.`);
    return { sub: values.sub, scopes: (values.scopes ?? "").split(/[\s,]+/).filter(Boolean), hours };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const dataDir = process.env.DATA_DIR || ".local";
console.log(openIdentity(dataDir).token(options()));
