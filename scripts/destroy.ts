import { parseArgs } from "node:util";
import { removeStage } from "../build/removal/index.ts";

/** Removes a stage of this repository: its API, functions and queues; with `--data` also what it stored. */
const usage =
  "npm run destroy -- --stage prod [--data] [--dry-run] [--yes] [--profile <name>] [--registry <file>] [-c <setting>=<value>]…";

const WRONG_INPUT = 2;

function fail(message: string): never {
  console.error(`${message}\nUse: ${usage}`);
  process.exit(WRONG_INPUT);
}

function options() {
  const [text, flag] = [{ type: "string" }, { type: "boolean" }] as const;
  try {
    return parseArgs({
      options: {
        stage: { ...text, short: "s" },
        data: flag,
        "dry-run": flag,
        yes: { ...flag, short: "y" },
        profile: text,
        registry: text,
        context: { ...text, short: "c", multiple: true },
      },
    }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const { stage, "dry-run": dryRun, ...rest } = options();
// No stage is the default here: what is removed is said, never assumed.
if (stage === undefined || stage === "") fail("Which stage? --stage is missing.");
process.exitCode = await removeStage({ stage, dryRun, ...rest });
