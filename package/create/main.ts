import { parseArgs } from "node:util";
import { CREATE_NAME } from "../name.ts";
import { addToProject } from "./add-to-project.ts";
import { CreateError } from "./create-error.ts";
import { installAndStart, manager } from "./install.ts";
import {
  folderProblem,
  isPipeline,
  isTemplate,
  makeProject,
  type Project,
  pipelines,
  templates,
} from "./make-project.ts";
import { ownSpec } from "./own-spec.ts";
import { openQuestions, type Questions } from "./questions.ts";

/** Makes a project, or adds agents to one: `npm create @scope`, `agent-platform new`, `agent-platform init`. Runs in Node 20. */

const options = {
  template: { type: "string" },
  model: { type: "string" },
  package: { type: "string" },
  ci: { type: "string" },
  yes: { type: "boolean", short: "y" },
  init: { type: "boolean" },
  "no-install": { type: "boolean" },
  "no-start": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const help = `Makes a project with agents: npm create ${CREATE_NAME.split("/")[0]} [folder] -- [options]

  --template <name>   ${Object.keys(templates).join(", ")}
  --model <spec>      such as anthropic:claude-sonnet-5-5; the scripted model when left out
  --ci <service>      a pipeline that deploys it: ${pipelines.join(", ")}
  --init              add agents to the project in this folder instead
  --package <spec>    which version of the platform, or its tarball
  --no-install        write files alone
  --no-start          install, and do not start
  -y, --yes           ask nothing`;

/**
 * @param asks  whether what is left out is asked for at a terminal
 * @throws CreateError with a sentence for the user
 */
export async function create(args: readonly string[], asks = process.stdin.isTTY === true): Promise<void> {
  const { values, positionals } = read(args);
  if (values.help) return console.log(help);
  const { ci } = values;
  if (ci !== undefined && !isPipeline(ci))
    throw new CreateError(`There is no pipeline for ${ci}; there is ${pipelines.join(", ")}.`);
  if (ci !== undefined && values.init)
    throw new CreateError(
      "--ci belongs to a new project: a repository that is there has a pipeline of its own.",
    );
  const isAsked = asks && !values.yes;
  const questions = isAsked ? openQuestions() : undefined;
  const answers = await answersOf(values, positionals[0], questions).finally(() => questions?.close());
  const project: Project = { ...answers, spec: values.package ?? ownSpec(), ci };
  if (values.init) await addToProject(project);
  else await makeProject(project);
  await next(project, {
    installs: !values["no-install"] && (isAsked || values.yes === true),
    starts: !values["no-start"] && isAsked,
    isOwn: values.init !== true,
  });
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new CreateError(`${error instanceof Error ? error.message : error}\n\n${help}`);
  }
}

/** What is to be made: as the flags say, else as the person says, else as usual. */
async function answersOf(
  values: ReturnType<typeof read>["values"],
  named: string | undefined,
  questions: Questions | undefined,
): Promise<Pick<Project, "folder" | "template" | "model">> {
  const { template, model, init } = values;
  if (template !== undefined && !isTemplate(template))
    throw new CreateError(`There is no template ${template}; there is ${Object.keys(templates).join(", ")}.`);
  const folder = init ? "." : (named ?? (await questions?.ask("Folder", "my-agents", folderProblem)));
  return {
    folder: folder ?? "my-agents",
    template: template ?? (await questions?.choose("Template", templates, "assistant")) ?? "assistant",
    model: model ?? (await questions?.ask("Model, as provider:id", "scripted", modelProblem)) ?? "scripted",
  };
}

const modelProblem = (model: string): string | undefined =>
  model === "scripted" || /^[a-z-]+:\S+$/.test(model)
    ? undefined
    : "A model is written as provider:id, such as anthropic:claude-sonnet-5-5.";

type Next = { readonly installs: boolean; readonly starts: boolean; readonly isOwn: boolean };

async function next({ folder, model }: Project, { installs, starts, isOwn }: Next): Promise<void> {
  const script = isOwn ? "dev" : "agents";
  const steps = [
    ...(isOwn ? [`cd ${folder}`] : []),
    ...(installs ? [] : [`${manager()} install`]),
    `${manager()} run ${script}`,
  ];
  const key = keyOf(model);
  if (key !== undefined) console.log(`Put the key of ${model} into .env: ${key}=…`);
  const made = isOwn ? `${folder} is made.` : "The agents are in agent-platform/.";
  const commands = `\n\n  ${steps.join("\n  ")}\n`;
  if (!installs) return console.log(`${made} Now:${commands}`);
  const mayStart = starts && key === undefined;
  // Whoever stops it is in the folder above.
  if (mayStart) console.log(`\n${made} Later it starts by:${commands}`);
  await installAndStart(folder, mayStart ? script : undefined);
  if (!mayStart) console.log(`\nNow:${commands}`);
}

/** The variable with the model's key, where it has to be set yet. */
function keyOf(model: string): string | undefined {
  const [provider = ""] = model.split(":");
  const variable = { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY" }[provider];
  return variable !== undefined && !process.env[variable] ? variable : undefined;
}
