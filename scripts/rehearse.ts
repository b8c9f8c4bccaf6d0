import { parseArgs } from "node:util";
import { ensureBuilt, orExplain } from "../build/bundles/index.ts";
import { rehearse } from "./rehearse/rehearsal.ts";
import { reportOf } from "./rehearse/report.ts";
import { pythonWithMoto, runtimeClient } from "./rehearse/tools.ts";
import { rehearsedVariants } from "./rehearse/variants.ts";

/**
 * Rehearses a deployment on this machine, without an account: makes it in an imitation of AWS, changes it, fails an upgrade and
 * tries it again, runs every function under AWS's own client, and removes it. Ends with 1 where anything is not as it should be.
 */
const usage = "npm run rehearse -- [-c stage=prod] [-c userPool=true] …, or npm run rehearse -- --variants";

function optionsIn(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      context: { type: "string", short: "c", multiple: true, default: [] },
      variants: { type: "boolean", default: false },
    },
  });
  const context = values.context.map((given) => {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
    if (name === "") throw new Error(`${given} is no setting\nUse: ${usage}`);
    return [name, value] as const;
  });
  const given = { stage: "prod", model: "scripted", ...Object.fromEntries(context) };
  return values.variants ? rehearsedVariants : { given };
}

await orExplain(async () => {
  const rehearsed = optionsIn(process.argv.slice(2));
  await ensureBuilt();
  console.log(
    "Preparing the imitation of AWS, and AWS's client of the runtime interface (minutes the first time)",
  );
  const [python, client] = await Promise.all([pythonWithMoto(), runtimeClient()]);
  for (const [name, context] of Object.entries(rehearsed)) {
    const { text, isRight } = reportOf(await rehearse({ context, tools: { python, client } }));
    console.log(`\n${name}: ${text}`);
    if (!isRight) process.exitCode = 1;
  }
});
