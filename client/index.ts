import { callOperation } from "./call-operation.ts";
import type { CallOptions, ClientOptions } from "./client-options.ts";
import { continueRun } from "./continue-run.ts";
import { type FollowOptions, followRun, streamRun } from "./follow-run.ts";
import { operations } from "./operations.ts";
import type { Fields, Input, OperationName } from "./request.ts";
import type { ComponentAddress, RunAddress } from "./run-address.ts";
import { sendMessage } from "./send-message.ts";
import { streamOperation } from "./stream-operation.ts";
import type { Client } from "./typed-client.ts";
import { type UploadOptions, uploadContent } from "./upload-content.ts";
import { type WaitOptions, waitForRun } from "./wait-for-run.ts";

export type { CallOptions, ClientOptions } from "./client-options.ts";
export type { FollowOptions } from "./follow-run.ts";
export type * from "./operations.ts";
export { PlatformError } from "./platform-error.ts";
export { type OnProgress, UploadError } from "./put-file.ts";
export { type Accepted, type ComponentAddress, isAccepted, type RunAddress } from "./run-address.ts";
export type { AgentEvent, RunEvent, TeamEvent, WorkflowEvent } from "./run-event.ts";
export { RunGoesOnError } from "./run-goes-on-error.ts";
export type {
  Client,
  ContinueForm,
  MessageForm,
  OperationName,
  RunForm,
  StreamingName,
} from "./typed-client.ts";
export type { UnknownEvent } from "./unknown-event.ts";
export type { UploadOptions } from "./upload-content.ts";
export type { WaitOptions } from "./wait-for-run.ts";

/**
 * A client of the platform over `fetch`. A form's values are encoded by their type: objects as JSON, files as parts.
 *
 * @throws PlatformError from every method, for an answer with an error status
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.keys(operations).map((name) => [
    name,
    // The keys of the constant are the names of the operations.
    (input: Input = {}, call: CallOptions = {}) => callOperation(options, name as OperationName, input, call),
  ]);
  const more = {
    stream: (name: OperationName, input: Input, call: CallOptions = {}) =>
      streamOperation(options, name, input, call),
    runs: {
      wait: (run: RunAddress, call?: WaitOptions) => waitForRun(options, run, call),
      stream: (component: ComponentAddress, form: Fields, call: CallOptions = {}) =>
        streamRun(options, component, form, call),
      continue: (run: RunAddress, form: Fields, call: CallOptions = {}) =>
        continueRun(options, run, form, call),
      follow: (run: RunAddress, call?: FollowOptions) => followRun(options, run, call),
      send: (run: RunAddress, form: Fields, call: CallOptions = {}) => sendMessage(options, run, form, call),
    },
    knowledge: { upload: (file: Blob, call?: UploadOptions) => uploadContent(options, file, call) },
  };
  // The generated types declare the input and answer of each method.
  return { ...Object.fromEntries(methods), ...more } as unknown as Client;
}
