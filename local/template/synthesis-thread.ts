import { parentPort } from "node:worker_threads";
import { buildApp } from "../../bin/agent-platform.ts";
import { wholeTemplate } from "../../lib/stacks/whole-template.ts";
import type { Stack } from "./stack.ts";
import type { SynthesisOrder } from "./start-synthesis-thread.ts";

/** The inside of a thread that synthesizes the app for each order, and hands its templates over. A failure ends it. */
parentPort?.on("message", (order: SynthesisOrder) => {
  const assembly = buildApp(order).synth();
  const stacks: Stack[] = assembly.stacks.map(({ stackName, template }) => ({
    name: stackName,
    assetFolder: assembly.directory,
    template: wholeTemplate(template, assembly.directory),
  }));
  parentPort?.postMessage(stacks);
});
