import { enableCompileCache } from "node:module";
import { Command, CommanderError, Option } from "commander";
import { compileCache } from "../../local/cache-folders.ts";
import { CreateError } from "../create/create-error.ts";
import { create } from "../create/main.ts";
import { pipelines, templates } from "../create/make-project.ts";
import { ownSpec } from "../create/own-spec.ts";
import { PACKAGE_NAME } from "../name.ts";
import { RecoveryError } from "../recovery/recovery-error.ts";
import { type OptionalTools, requireCdk, requireEditorTools } from "./optional-tools.ts";
import { UsageError } from "./usage-error.ts";

/** The command line `agent-platform`. Wrong input ends it with 2 and a sentence, what could not be done with 1. */
enableCompileCache(compileCache);

const WRONG_INPUT = 2;

// The process that started this one is gone, without a signal that it could have passed on.
process.once("disconnect", () => void (process.emit("SIGTERM", "SIGTERM") || process.exit(1)));
process.channel?.unref();
// Whoever reads has seen enough, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const url = new Option(
  "--url <address>",
  "of a deployment; this machine's when left out (with AGENT_PLATFORM_TOKEN)",
);
const session = new Option("--session <id>", "of an earlier conversation; a new one when left out");
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

const template = new Option("--template <name>", "what it begins with")
  .choices(Object.keys(templates))
  .default("assistant");
const model = new Option("--model <spec>", "which model this machine has").default("scripted");
const spec = new Option("--package <spec>", `which ${PACKAGE_NAME} the project depends on`).default(
  ownSpec(),
);
program
  .command("new <folder>")
  .description("make a project: agents, tools, a test, and all that they need")
  .addOption(template)
  .addOption(model)
  .addOption(spec)
  .addOption(new Option("--ci <service>", "with a pipeline that deploys it").choices(pipelines))
  .action((folder, { template, model, package: spec, ci }) => {
    const pipeline = ci === undefined ? [] : ["--ci", ci];
    const made = [folder, "--template", template, "--model", model, "--package", spec, ...pipeline];
    return create([...made, "--no-install"], false);
  });
program
  .command("init")
  .description("add agents to the project in this folder")
  .addOption(template)
  .addOption(model)
  .addOption(spec)
  .action(({ template, model, package: spec }) =>
    create(["--init", "--template", template, "--model", model, "--package", spec, "--no-install"], false),
  );
for (const [name, watch, what] of [
  ["dev", true, "run the project here; it reloads within seconds of a save"],
  ["start", false, "run the project here as it is"],
] as const)
  program
    .command(name)
    .description(what)
    .option(
      "--inspect [address]",
      "let a debugger stop tools and agents at breakpoints (127.0.0.1:9229); a tool may take an hour then",
    )
    .option("--json", "show the lines of the log as JSON, for programs")
    .option("--open", "open the console in the browser, signed in")
    .action(async (options) => (await import("./commands/start.ts")).start({ watch, ...options }));
program
  .command("run <id> <text>")
  .description("run an agent, a team or a workflow once; what it waits for is asked here")
  .addOption(url)
  .addOption(session)
  .option("--show-prompt", "show what the model was asked with")
  .option("--json", "print the run as JSON")
  .action(async (id, text, options) => (await import("./commands/run.ts")).runOnce(id, text, options));
program
  .command("chat <id>")
  .description("talk with an agent or a team here; what it waits for is asked here")
  .addOption(url)
  .addOption(session)
  .option("--show-prompt", "show what the model was asked with")
  .option("--json", "print each run as a line of JSON; what a person reads is beside it")
  .action(async (id, options) => (await import("./commands/run.ts")).chat(id, options));
program
  .command("acp")
  .description(
    "serve an agent, a team or a workflow to the editor that starts this, by the Agent Client Protocol",
  )
  .addOption(url)
  .addOption(new Option("--agent <id>", "which one").makeOptionMandatory())
  .action(async (options) => {
    const { version, peerDependencies = {} } = await ownManifest();
    requireEditorTools(peerDependencies, process.cwd());
    await (await import("./commands/acp.ts")).serveEditor(options, version);
  });
program
  .command("eval <file>")
  .description("evaluate with the cases of a file (CSV or JSON); ends with 1 where one is wrong")
  .addOption(url)
  .option("--agent <id>", "what is evaluated")
  .option("--team <id>", "what is evaluated")
  .addOption(
    new Option("--type <type>", "what is measured")
      .choices(["reliability", "accuracy", "agent_as_judge", "performance"])
      .default("reliability"),
  )
  .option("--json", "print the evaluation as JSON")
  .action(async (file, options) => (await import("./commands/eval.ts")).evaluate(file, options));
program
  .command("status")
  .description("say what is hosted and under way")
  .addOption(url)
  .option("--json", "print JSON")
  .action(async (options) => (await import("./commands/status.ts")).printStatus(options));
program
  .command("open")
  .description("open the console in the browser")
  .addOption(url)
  .option("--json", "print its address as JSON")
  .action(async (options) => (await import("./commands/open.ts")).openConsole(options));
const secrets = program.command("secrets").description("the secrets that tools need");
secrets
  .command("list")
  .description("say which there are, and whether each is set; ends with 1 where one is missing")
  .option("-s, --stage <name>", "of a stage in your AWS account; of this machine when left out")
  .option("--json", "print JSON")
  .action(async (options) => (await import("./commands/secrets.ts")).listSecrets(options));
secrets
  .command("set <name>")
  .description("store one, read from the input: in .env.local, or in Secrets Manager for a stage")
  .option("-s, --stage <name>", "of a stage in your AWS account; of this machine when left out")
  .option("--json", "print where it is as JSON")
  .action(async (name, options) => (await import("./commands/secrets.ts")).setSecret(name, options));
program
  .command("deploy [options...]")
  .description("deploy the project into your AWS account; what follows -- goes to cdk deploy")
  .addOption(stage)
  .option("--synth", "make the templates only, and check them")
  .option("--json", "print what was deployed as JSON, and what a person reads beside it")
  .action(async (more, options) => (await deployment()).deploy(options, more));
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
  .action(async (options) => (await deployment()).destroy(options));
program
  .command("restore")
  .description("take a stage back to an instant: tables, objects, vectors, schedules and queues")
  .addOption(new Option("-s, --stage <name>", "which deployment").makeOptionMandatory())
  .option(
    "--to <time>",
    "the instant, such as 2026-11-27T10:15:00Z; of the last 35 days, some minutes ago at least",
  )
  .option("--plan", "say what would happen, and do nothing")
  .option("--include <table...>", "also what stays as it is otherwise: service_accounts, audit")
  .option("--keep-copies", "leave the restored copies of the tables in the account")
  .option("--give-up", "end a restore that was interrupted: the service is resumed, the copies are deleted")
  .option("-y, --yes", "restore without asking for the stage's name")
  .option("--profile <name>", "of the AWS configuration")
  .option("--json", "print what was done as JSON, and what a person reads beside it")
  .action(async (options) => (await import("./commands/restore.ts")).restore(options));
program
  .command("export")
  .description("write everything that a stage stores as lines of JSON, to S3 or into a folder")
  .addOption(new Option("-s, --stage <name>", "which deployment").makeOptionMandatory())
  .addOption(new Option("--to <place>", "s3://bucket/prefix, or a folder").makeOptionMandatory())
  .option("--include <table...>", "also what is left out otherwise: service_accounts, audit")
  .option("--profile <name>", "of the AWS configuration")
  .option("--json", "print what was written as JSON, and what a person reads beside it")
  .action(async (options) => (await import("./commands/export.ts")).exportAll(options));
program
  .command("copy")
  .description(
    "move a stage to another region or account: one that is deployed there gets what this one holds",
  )
  .addOption(new Option("--from <stage>", "which deployment; it stays paused").makeOptionMandatory())
  .option("--from-profile <name>", "of the AWS configuration")
  .option("--from-region <name>", "where it is")
  .option("--to <stage>", "the deployment that gets it")
  .option("--to-profile <name>", "of the AWS configuration")
  .option("--to-region <name>", "where it is")
  .option("--include <table...>", "also what is left out otherwise: service_accounts, audit")
  .option("--over", "replace what the target holds already")
  .option("--resume-source", "let a stage work again that a copy has paused")
  .option("-y, --yes", "copy without asking for the target's name")
  .option("--json", "print what was done as JSON, and what a person reads beside it")
  .action(async (options) => (await import("./commands/copy.ts")).copy(options));
program
  .command("token")
  .description("print a token for the platform on this machine; with --stage an admin's for a deployment")
  .option(
    "-s, --stage <name>",
    "make a service account there, with your AWS credentials, and print its token",
  )
  .option("--table <name>", "of that stage's service accounts, where an earlier deployment left another one")
  .option("--name <name>", "of that service account", "first-admin")
  .option("--days <days>", "how long that one is valid", "90")
  .option("--sub <user>", "whom it is for", "admin")
  .option("--scopes <scopes>", "what it may do, separated by blanks; an admin's scope when left out")
  .option("--hours <hours>", "how long", "12")
  .option("--json", "print JSON")
  .action(async (options) => (await import("./commands/token.ts")).printToken(options));
program
  .command("logs [run]")
  .description("what the functions here wrote; of one run with its id")
  .addOption(url)
  .option("-n, --lines <count>", "how many of the last lines", "100")
  .option("-f, --follow", "continue with what is written from now on")
  .option("--json", "print the lines as they are, for programs")
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
  .command("completion <shell>")
  .description("print what completes the command line: bash, zsh or fish")
  .action(async (shell) => (await import("./commands/completion.ts")).printCompletion(shell, program));
program
  .command("app", { hidden: true })
  .description("make the templates; cdk.json names it")
  .action(async () => (await import("./commands/app.ts")).synthesizeApp());

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof UsageError || error instanceof CreateError) {
    console.error(error.message);
    process.exitCode = WRONG_INPUT;
  } else if (error instanceof RecoveryError) {
    console.error(error.message);
    process.exitCode = 1;
  } else if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_INPUT;
  } else {
    console.error(isOfAws(error) ? `AWS refused it: ${error.message}` : error);
    process.exitCode = 1;
  }
}

/** What a service of AWS answered, by this package's own calls or by its clients: no fault of the program, so no stack. */
function isOfAws(error: unknown): error is Error {
  return error instanceof Error && (error.name === "AwsError" || "$metadata" in error);
}

async function ownVersion(): Promise<string> {
  return (await ownManifest()).version;
}

async function ownManifest(): Promise<{
  readonly version: string;
  readonly peerDependencies?: OptionalTools;
}> {
  const { default: own } = await import("../../package.json", { with: { type: "json" } });
  return own;
}

/** The commands that need the CDK, once it is installed. */
async function deployment() {
  const { peerDependencies = {} } = await ownManifest();
  await requireCdk(peerDependencies, process.cwd());
  return import("./commands/deploy.ts");
}
