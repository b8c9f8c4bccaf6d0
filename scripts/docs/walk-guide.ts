import { setTimeout as pause } from "node:timers/promises";
import { isObject } from "../../shared/schemas/values/json-values.ts";
import { type Answer, type Answered, fillPlaceholders, jsonOf } from "./answers.ts";
import { checkClaims } from "./claims.ts";
import { describedScopes, type InterfaceDescription } from "./described-scopes.ts";
import type { GuidePlatform } from "./guide-platform.ts";
import type { GuideShell } from "./guide-shell.ts";
import { writeSource } from "./guide-sources.ts";
import type { GuideCommand, GuideSource, GuideStep } from "./guide-steps.ts";
import { reasonToLeaveOut } from "./left-out.ts";

export type WalkedGuide = {
  readonly run: number;
  /** How many claims of comments were compared with what was answered. */
  readonly claims: number;
  /** Comments that claim nothing that can be compared. */
  readonly unchecked: readonly { readonly line: number; readonly text: string }[];
  /** How many TypeScript blocks were written. */
  readonly sources: number;
  readonly leftOut: readonly { readonly line: number; readonly text: string; readonly reason: string }[];
  /** Each begins with its line. */
  readonly problems: readonly string[];
};

type World = {
  readonly copy: string;
  readonly platform: GuidePlatform;
  readonly shell: GuideShell;
  readonly port: number;
};

const PORT_OF_THE_GUIDES = ":7777";
/** How long what a command has begun may go on before the next command. */
const SETTLED_WITHIN_MS = 60_000;

/** Does the steps of one guide after the other; a later guide uses what an earlier one has set up. */
export function guideWalk(world: World): (name: string, steps: readonly GuideStep[]) => Promise<WalkedGuide> {
  return async (name, steps) => {
    const guide = new Walked();
    const answered: Answered[] = [];
    for (const step of steps) {
      try {
        if (step.kind === "source") await takeSource(world, name, step, guide);
        else await takeCommand(world, step, answered, guide);
      } catch (error) {
        guide.problems.push(`${step.line}: ${error instanceof Error ? error.message : error}`);
      }
    }
    return guide;
  };
}

class Walked {
  run = 0;
  claims = 0;
  sources = 0;
  readonly unchecked: { line: number; text: string }[] = [];
  readonly leftOut: { line: number; text: string; reason: string }[] = [];
  readonly problems: string[] = [];
}

async function takeSource(world: World, name: string, source: GuideSource, guide: Walked): Promise<void> {
  const { printed } = world.platform;
  const before = printed().length;
  const written = writeSource(world.copy, name, source);
  if (written === undefined) {
    const text = source.text.split("\n")[0] ?? "";
    guide.leftOut.push({ line: source.line, text, reason: "a part of a declaration" });
    return;
  }
  guide.sources++;
  // The next command runs the agent, so the console must have said that the function which does is reloaded.
  if (written.startsWith("registry/agents/")) {
    await untilTrue(async () => /reloaded after .*\bruns\b/.test(printed().slice(before)));
  }
}

async function takeCommand(
  world: World,
  { text, line, said }: GuideCommand,
  answered: Answered[],
  guide: Walked,
): Promise<void> {
  const reason = reasonToLeaveOut(text);
  if (reason !== undefined) {
    guide.leftOut.push({ line, text: text.split("\n")[0] ?? "", reason });
    return;
  }
  guide.run++;
  if (/^npm (start|run dev)$/.test(text)) return world.platform.start(text);
  const filled = fillPlaceholders(text, answered).replaceAll(PORT_OF_THE_GUIDES, `:${world.port}`);
  const answer = await world.shell.run(filled);
  const expectsError = said.some((claim) => /^[45]\d\d\b/.test(claim));
  if (answer.status !== undefined && answer.status >= 400 && !expectsError) {
    throw new Error(`${filled}\n  answered ${answer.status} ${answer.output.slice(0, 400)}`);
  }
  const json = jsonOf(answer);
  // A failed run is answered with 200.
  if (isObject(json) && json.status === "ERROR" && !text.includes("[[fail:")) {
    throw new Error(`${filled}\n  the run failed: ${answer.output.slice(0, 400)}`);
  }
  if (said.length > 0) await compare(world, { text: filled, line, said }, answer, guide);
  if (json !== undefined) answered.push({ command: filled, json });
  if (answer.status === 202) await untilSettled(world, filled, json);
}

async function compare(
  world: World,
  { text, line, said }: Omit<GuideCommand, "kind">,
  answer: Answer,
  guide: Walked,
): Promise<void> {
  const scopes = describedScopes(await describe(world), text);
  const { checked, problems } = checkClaims(said, { answer, scopes });
  guide.claims += checked;
  if (checked === 0) guide.unchecked.push({ line, text: said.join("; ") });
  guide.problems.push(...problems.map((problem) => `${line}: ${problem}`));
}

/** Waits until what was accepted is done: a guide's reader reads on meanwhile. */
async function untilSettled(world: World, command: string, json: unknown): Promise<void> {
  if (!isObject(json)) return;
  if (typeof json.run_id === "string") {
    const path = `/queue/jobs/${json.run_id}`;
    await untilTrue(async () => !["queued", "running"].includes(await statusOf(world, path)));
  } else if (command.includes("/knowledge/content")) {
    const path = `/knowledge/content/${json.id}/status`;
    await untilTrue(async () => (await statusOf(world, path)) !== "processing");
  }
}

async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + SETTLED_WITHIN_MS; Date.now() < until; await pause(200)) {
    if (await isTrue().catch(() => false)) return;
  }
  throw new Error("what the guide expects does not happen within a minute");
}

/** The member `status` of a record. */
async function statusOf(world: World, path: string): Promise<string> {
  const record = await (await ask(world, path)).json();
  return isObject(record) ? String(record.status) : "";
}

async function describe(world: World): Promise<InterfaceDescription> {
  const answer = await ask(world, "/openapi.json");
  return (await answer.json()) as InterfaceDescription;
}

function ask({ shell, port }: World, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${shell.variable("ADMIN")}` };
  return fetch(`http://127.0.0.1:${port}${path}`, { headers });
}
