import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLineIn, type UserMachine } from "../user-machine.ts";

/**
 * Uses the other commands of the command line while the project runs, as a person and as a program do.
 *
 * @param agent  that answers by the scripted model, and has `roll_dice`
 * @throws Error for the first one that does not say what it should
 */
export async function useCommands({ env, run }: UserMachine, project: string, agent: string): Promise<void> {
  const command = (...args: string[]): Promise<string> =>
    run("node", [commandLineIn(project), ...args], project);
  const says = async (wanted: RegExp, ...args: string[]): Promise<void> => {
    const said = await command(...args);
    if (!wanted.test(said)) throw new Error(`${args.join(" ")} does not say ${wanted}:\n${said}`);
  };
  await says(/Hosted +.*\bassistant\b/, "status");
  await says(/"hosted": \[/, "status", "--json");
  await says(/You said: hello.*Answer briefly\./s, "run", agent, "hello", "--show-prompt");
  await says(/"isSet": true|^\[\]\s*$/, "secrets", "list", "--json");
  await says(/"address": ?"http:/, "open", "--json");
  await says(/ok +token/, "doctor", "--no-run");
  await says(/complete -F/, "completion", "bash");
  const row = '"[[tool:roll_dice {""count"": 1}]]",roll_dice';
  writeFileSync(join(project, "cases.csv"), `input,expected_tool_calls\n${row}\n`);
  await says(/1 of 1 cases are right/, "eval", "cases.csv", "--agent", agent);
  await followsLogs(env, project, () => command("run", agent, "followed"));
}

/** `logs --follow` prints what is written after it began, until it is stopped. */
async function followsLogs(
  env: UserMachine["env"],
  project: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const child = spawn("node", [commandLineIn(project), "logs", "--follow", "--lines", "1"], {
    cwd: project,
    env,
  });
  const ended = once(child, "exit");
  let printed = "";
  const began = Promise.withResolvers<void>();
  const more = Promise.withResolvers<void>();
  child.stdout.on("data", (chunk: Buffer) => {
    const before = printed.length;
    printed += chunk;
    began.resolve();
    if (before > 0) more.resolve();
  });
  const early = ended.then(() => Promise.reject(new Error(`logs --follow ended:\n${printed}`)));
  await Promise.race([began.promise, early]);
  await work();
  await Promise.race([more.promise, early]);
  early.catch(() => {});
  child.kill("SIGTERM");
  await ended;
}
