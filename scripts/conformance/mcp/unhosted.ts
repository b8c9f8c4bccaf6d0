/**
 * Why a check of the kit may fail here: most of its checks are of tools, prompts and resources of its own, which only a server that was
 * written for it has. What is not listed must pass.
 */
const reasons: readonly (readonly [what: RegExp, why: string])[] = [
  [
    /there is no tool \w+ for you|Tool '\w+' not found|-32602; spec requires -32021/,
    "a tool of the kit's own",
  ],
  [
    /Not testable|fixture from|fixture .* unavailable|Prerequisite failed/,
    "follows on a tool of the kit's own",
  ],
  [/Expected InputRequiredResult|instead of re-requesting/, "asks a tool of the kit's own"],
  [/resource test:\/\/[\w/-]+ not found/, "a resource of the kit's own"],
  [/This is recommended/, "a stream is not resumed: what became of a run is asked for by `get_run`"],
  [/Method not found/, "there are no prompts, completions, subscriptions and levels of logging"],
];

/** @param message  of the kit; @returns undefined for a check that must pass */
export const reasonToFail = (message: string): string | undefined =>
  reasons.find(([what]) => what.test(message))?.[1];
