/**
 * Functions that are longer than allowed, with their lines. The list may only shrink: an entry that is not needed any more, or
 * stands for more lines than there are, fails the check. Two tables of routes have grown once: their rows hold the examples now, which
 * stood in files of their own.
 */
export const longFunctions: Readonly<Record<string, number>> = {
  "local/s3/vectors.ts openVectors": 85,
  "shared/engine/remote/call-remote.ts callOnce": 84,
  "shared/routes/runs.ts rowsOf": 89,
  "bench/soak/kinds-of-work.ts kindsOfWork": 96,
  "lib/stacks/service-stack.ts createServiceStack": 116,
  "local/cloud.ts startCloud": 120,
  "local/scheduler/scheduler.ts openScheduler": 130,
  "console/screens/evaluations/evaluation-form.tsx EvaluationForm": 128,
  "local/lambda/start-thread.ts startThread": 124,
  "console/screens/playground/chat-screen.tsx ChatScreen": 133,
  "shared/routes/protocols/a2a.ts rowsOf": 169,
  "local/lambda/function-pool.ts functionPool": 180,
};
