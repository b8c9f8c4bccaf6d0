import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { Command, CommanderError, Option } from "commander";
import { compileCache } from "../../local/cache-folders.ts";
import { PACKAGE_NAME } from "../name.ts";
import { ownSpec } from "./own-package.ts";
import { UsageError } from "./usage-error.ts";

/** The command line `agent-platform`. Wrong input ends it with 2 and a sentence, what could not be done with 1. */
enableCompileCache(compileCache);

const WRONG_INPUT = 2;

// The process that started this one is gone, without a signal that it could have passed on.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();

const stage = new Option("-s, --stage <name>", "which deployment").default("dev");
const program = new Command("agent-platform")
  .description("Your agents on this machine and in your AWS account.")
  .version(await ownVersion(), "-v, --version")
  .helpOption("-h, --help", "say what a command does")
  .showHelpAfterError("(--help says more)")
  .exitOverride()
  .addHelpText(
    "after",
    `
A project begins with:
  npx ${PACKAGE_NAME} new my-agents && cd my-agents && npm install && npm run dev
`,
  );

program
  .command("new <folder>")
  .description("make a project: an agent, a tool, a test, and all that they need")
  .option(
    "--package <spec>",
    `which ${PACKAGE_NAME} the project depends on`,
    await ownSpec(join(import.meta.dirname, "../..")),
  )
  .action(async (folder, options) => (await import("./commands/new.ts")).makeProject(folder, options));
program
  .command("dev")
  .description("run the project here; it reloads within seconds of a save")
  .action(async () => (await import("./commands/start.ts")).start({ watch: true }));
program
  .command("start")
  .description("run the project here as it is")
  .action(async () => (await import("./commands/start.ts")).start({ watch: false }));
program
  .command("deploy [options...]")
  .description("deploy the project into your AWS account; what follows -- goes to cdk deploy")
  .addOption(stage)
  .option("--synth", "make the templates only, and check them")
  .action(async (more, options) => (await import("./commands/deploy.ts")).deploy(options, more));
program
  .command("destroy")
  .description("remove a deployment: its API, functions and queues; with --data what it stored, too")
  .addOption(new Option("-s, --stage <name>", "which deployment").makeOptionMandatory())
  .option("--data", "also the stacks with the data and the users; stages other than dev keep what is in them")
  .option("--dry-run", "say what would go and what would stay")
  .option("-y, --yes", "remove it without asking for its name")
  .option("--profile <name>", "of the AWS configuration")
  .option(
    "-c, --context <setting...>",
    "settings that it was deployed with in addition to the project's own, as name=value",
  )
  .action(async (options) => (await import("./commands/deploy.ts")).destroy(options));
program
  .command("token")
  .description("print a token for the platform on this machine")
  .option("--sub <user>", "whom it is for", "admin")
  .option("--scopes <scopes>", "what it may do, separated by blanks; an admin's scope when left out")
  .option("--hours <hours>", "how long", "12")
  .action(async (options) => (await import("./commands/token.ts")).printToken(options));
program
  .command("logs [run]")
  .description("what the functions here wrote; of one run with its id")
  .option("--url <address>", "of a deployment; this machine's when left out (with AGENT_PLATFORM_TOKEN)")
  .option("-n, --lines <count>", "how many of the last lines", "100")
  .action(async (run, options) => (await import("./commands/logs.ts")).printLogs(run, options));
program
  .command("doctor")
  .description("say what is in the way, here and in a deployment; ends with 1 where something is")
  .option(
    "-s, --stage <name>",
    "a stage in your AWS account, with your credentials (and AGENT_PLATFORM_TOKEN)",
  )
  .option("--url <address>", "of a deployment to look at, without AWS (with AGENT_PLATFORM_TOKEN)")
  .option("--no-run", "start no sample run, which calls the model")
  .option("--json", "print JSON")
  .action(async (options) => (await import("./commands/doctor.ts")).examine(options));
program
  .command("app", { hidden: true })
  .description("make the templates; cdk.json names it")
  .action(async () => (await import("./commands/app.ts")).synthesizeApp());

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof UsageError) {
    console.error(error.message);
    process.exitCode = WRONG_INPUT;
  } else if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_INPUT;
  } else {
    console.error(error);
    process.exitCode = 1;
  }
}

async function ownVersion(): Promise<string> {
  const { default: own } = await import("../../package.json", { with: { type: "json" } });
  return own.version;
}
